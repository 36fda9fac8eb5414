/* What time loops record: nothing of what is only used linearly, one number for each cell overwritten, and of buffers that
 * take turns as much as somebody who stores every state. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime && %t.O0
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime && %t.O3
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

#define N 12
#define STEPS 5

// Linear in u: whatever is overwritten, nothing is recorded.
// CHECK-LABEL: plan gradient backsweep.primal.heat 
// CHECK-NOT: saves what it overwrites
// CHECK-NOT: {{%[0-9]+}}: save on overwrite
// Not even the counter of the inner loop.
// CHECK: passes counted anew on the way back from {{.*}}, %{{[0-9]+}}
// CHECK-NOT: : records
static double heat(double *restrict u, int steps, double dt)
{
    double sum = 0;
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < N - 1; i++)
            u[i] += 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]);
    for (int i = 0; i < N; i++)
        sum += u[i];
    return sum + 0 * dt;
}

// Nonlinear in three cells: what a store overwrites, and nothing else.
// CHECK-LABEL: plan gradient backsweep.primal.burgers 
// CHECK: [[STORE:%[0-9]+]]: saves what it overwrites, which is put back on the way back
// CHECK-NOT: saves what it overwrites
// CHECK: records what [[STORE]] overwrites{{$}}
static double burgers(double *restrict u, int steps, double dt)
{
    double sum = 0;
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < N - 1; i++)
            u[i] += dt * u[i] * (u[i + 1] - u[i - 1]) * u[i + 1];
    for (int i = 0; i < N; i++)
        sum += u[i] * u[i];
    return sum;
}

typedef double model(double *restrict, int, double);

static void difference(const char *name, model *f, const double *du)
{
    for (int k = 0; k < N; k++) {
        double y[2], h = 1e-5;
        for (int side = 0; side < 2; side++) {
            double u[N];
            for (int i = 0; i < N; i++)
                u[i] = sin(1.7 * i) + (i == k ? (2 * side - 1) * h : 0);
            y[side] = f(u, STEPS, 0.05);
        }
        const double expected = (y[1] - y[0]) / (2 * h);
        if (!(fabs(du[k] - expected) <= 1e-7 * fmax(1, fabs(expected)))) {
            printf("%s, element %d: %.12g, by differences %.12g\n", name, k, du[k], expected);
            fflush(stdout);
            __builtin_trap();
        }
    }
}

static void start(double *u, double *du)
{
    memset(du, 0, N * sizeof *du);
    for (int i = 0; i < N; i++)
        u[i] = sin(1.7 * i);
}

int main(void)
{
    double u[N], du[N];
    start(u, du);
    __backsweep_gradient_void((void *)heat, bs_dup_noneed, u, du, STEPS, bs_const, 0.05);
    difference("heat", heat, du);
    start(u, du);
    __backsweep_gradient_void((void *)burgers, bs_dup_noneed, u, du, STEPS, bs_const, 0.05);
    difference("burgers", burgers, du);
    return 0;
}
