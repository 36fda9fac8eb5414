/* A maximum records nothing of its loop: where it was found is handed on, and the number is read again there. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: env BACKSWEEP_OPTIONS=disable=chosen %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.without
// RUN: FileCheck --check-prefix=WITHOUT %s < %t.without
#include <math.h>

#include "backsweep.h"

static double greatest(const double *x, int n)
{
    double largest = x[0];
    for (int i = 1; i < n; i++)
        if (x[i] > largest)
            largest = x[i];
    return largest * largest;
}

static double least(const double *x, int n)
{
    double smallest = HUGE_VAL;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            smallest = fmin(smallest, x[i] * x[j]);
    return smallest * smallest;
}

// CHECK-LABEL: plan gradient backsweep.primal.greatest
// CHECK-NOT: records
// CHECK-LABEL: plan gradient backsweep.primal.least
// WITHOUT-LABEL: plan gradient backsweep.primal.greatest
// WITHOUT: records
// WITHOUT-LABEL: plan gradient backsweep.primal.least
void gradients(const double *x, double *dx, int n)
{
    __backsweep_gradient((void *)greatest, x, dx, n);
    __backsweep_gradient((void *)least, x, dx, n);
}

/* What the second loop reads is overwritten in it, so it is not read again. */
static double overwritten(double *w, int n)
{
    double largest = -1;
    for (int i = 0; i < n; i++) {
        if (w[i] > largest)
            largest = w[i];
        w[n - 1 - i] = 0.5 * w[i];
    }
    return largest;
}

// CHECK-LABEL: plan gradient backsweep.primal.overwritten
// CHECK: records
// WITHOUT-LABEL: plan gradient backsweep.primal.overwritten
void gradient_of_overwritten(double *w, double *dw, int n)
{
    __backsweep_gradient((void *)overwritten, w, dw, n);
}
