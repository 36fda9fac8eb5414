/* A store that comes before everything that is read again overwrites what nobody has read: the loop that fills an array saves nothing,
 * the one that changes it in place saves each cell. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime -lm && %t.O3
#include <math.h>
#include <stdio.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define CELLS 500

static double in_place(const double *restrict x, double *restrict w)
{
    double sum = 0;
    for (int i = 0; i < CELLS; i++)
        w[i] = sin(x[i]);
    for (int i = 0; i < CELLS - 1; i++)
        w[i] = w[i] * w[i + 1] + 0.5 * w[i];
    for (int i = 0; i < CELLS; i++)
        sum += w[i] * w[i];
    return sum;
}

// CHECK-LABEL: plan gradient backsweep.primal.in_place
// CHECK: saves what it overwrites
// CHECK-NOT: saves what it overwrites
// CHECK: {{^}} ^{{[0-9]+}}: count passes
static double value(const double *x)
{
    double w[CELLS];
    return in_place(x, w);
}

int main(void)
{
    static double x[CELLS], dx[CELLS], w[CELLS], dw[CELLS];
    struct bs_tape_stats before, after;
    for (int i = 0; i < CELLS; i++)
        x[i] = 0.3 + 0.001 * i, w[i] = 1e300;
    bs_tape_stats(NULL, &before);
    __backsweep_gradient((void *)in_place, x, dx, bs_dup_noneed, w, dw);
    bs_tape_stats(NULL, &after);
    for (int i = 0; i < CELLS; i += 71) {
        const double at = x[i];
        x[i] = at + 1e-5;
        double up = value(x);
        x[i] = at - 1e-5;
        double down = value(x);
        x[i] = at;
        if (!(fabs(dx[i] - (up - down) / 2e-5) < 1e-6)) {
            printf("%d: %.12g, by differences %.12g\n", i, dx[i], (up - down) / 2e-5);
            return 1;
        }
    }
    printf("%zu bytes\n", (size_t)(after.total - before.total));
    return after.total - before.total > 8 * CELLS + 100;
}
