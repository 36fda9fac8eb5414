/* Numbers that the loop around does not change are computed in front of it, and their adjoints summed up in the table's shadow: the
 * mixture records its exponentials once, however many points there are. Where a store may change what they are computed from they stay where they are. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: env BACKSWEEP_OPTIONS=disable=tables %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.without
// RUN: FileCheck --check-prefix=WITHOUT %s < %t.without
// RUN: %clang -O2 %pass %include %s -o %t.O2 %runtime -lm && %t.O2
#include <math.h>
#include <stdio.h>

#include "backsweep.h"
#include "backsweep_rt.h"

static double mixture(const double *restrict x, const double *restrict points, int count)
{
    double sum = 0;
    for (int p = 0; p < count; p++)
        for (int k = 0; k < 8; k++) {
            double q = exp(x[k]) * (points[p] - x[8 + k]);
            sum += q * q;
        }
    return sum;
}

// CHECK-LABEL: plan gradient backsweep.primal.mixture
// CHECK: memory of stack slot %{{.*}}: active
// WITHOUT-LABEL: plan gradient backsweep.primal.mixture
// WITHOUT-NOT: memory of stack slot
void adjoint_of_mixture(const double *x, double *dx, const double *points, int count)
{
    __backsweep_gradient((void *)mixture, x, dx, bs_const, points, count);
}

static void in_place(const double *x, double *out, int count)
{
    for (int p = 0; p < count; p++)
        for (int k = 0; k < 8; k++)
            out[k] += exp(x[k]);
}

// CHECK-LABEL: plan gradient backsweep.primal.in_place
// CHECK-NOT: memory of stack slot
void adjoint_of_in_place(const double *x, double *dx, double *out, double *dout, int count)
{
    __backsweep_gradient_void((void *)in_place, x, dx, out, dout, count);
}

int main(void)
{
    static double x[16], dx[16], points[1000];
    struct bs_tape_stats before, after;
    for (int i = 0; i < 16; i++)
        x[i] = 0.1 * i;
    bs_tape_stats(NULL, &before);
    adjoint_of_mixture(x, dx, points, 1000);
    bs_tape_stats(NULL, &after);
    printf("%zu bytes\n", (size_t)(after.total - before.total));
    /* A thousand times eight exponentials would be 64,000. */
    return after.total - before.total > 400 || !(fabs(dx[9] - 2 * 1000 * exp(0.2) * 0.9) < 1e-9);
}
