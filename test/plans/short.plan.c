/* Nests of loops of a few passes are written out before anything is planned, where inner loops run as often as the counters around them
 * say, too: what is left of them are numbers, and nothing of their passes is recorded. A nest that would be too long is not, but what is
 * short in it is. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: env BACKSWEEP_OPTIONS=disable=short %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.without
// RUN: FileCheck --check-prefix=WITHOUT %s < %t.without
#include "backsweep.h"

static const double points[4] = {0.0694318442029737, 0.330009478207571868, 0.669990521792428132, 0.9305681557970263};

static double power(double t, int n)
{
    double p = 1;
    for (int i = 0; i < n; i++)
        p *= t;
    return p;
}

static double collocation(const double *x)
{
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        double t = points[k], w[5];
        for (int m = 0; m < 5; m++) {
            double factorial = 1;
            w[m] = 0;
            for (int j = m; j < 8; j++) {
                w[m] += power(t, j - m) / factorial * x[j];
                factorial *= j - m + 1;
            }
        }
        sum += w[4] - w[1] * w[2] + w[0] * w[3];
    }
    return sum;
}

// CHECK-LABEL: plan gradient backsweep.primal.collocation
// CHECK-NOT: count passes
// CHECK-NOT: records
// WITHOUT-LABEL: plan gradient backsweep.primal.collocation
// WITHOUT: count passes
void adjoint_of_collocation(const double *x, double *dx) { __backsweep_gradient_void((void *)collocation, x, dx); }

static double long_nest(const double *x)
{
    double sum = 0;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            for (int k = j; k < 8; k++)
                sum += x[i] * x[j + i] * x[k + j];
    return sum;
}

// CHECK-LABEL: plan gradient backsweep.primal.long_nest
// CHECK-COUNT-1: count passes
// CHECK-NOT: count passes
// CHECK: plan gradient backsweep.primal.early
void adjoint_of_long_nest(const double *x, double *dx) { __backsweep_gradient_void((void *)long_nest, x, dx); }

static double early(const double *x)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < i && x[j] < 1; j++)
            sum += x[i] * x[j];
    return sum;
}

// CHECK: count passes
void adjoint_of_early(const double *x, double *dx) { __backsweep_gradient_void((void *)early, x, dx); }
