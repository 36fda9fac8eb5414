/* Two buffers in one parameter change places in each step, without `restrict`: on entry it is tested whether the inputs lie in
 * them. They may lie there at any distance, with their shadows, and the version for memory that overlaps is right, too. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %include %s -o %t.ll
// RUN: %opt '-passes=print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck %s
// RUN: env BACKSWEEP_OPTIONS=disable=rows %opt '-passes=print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck --check-prefixes=CHECK,BACK %s
// RUN: env BACKSWEEP_OPTIONS=disable=rows %clang -O2 %pass %include %s -o %t.back -lm %runtime && %t.back
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 -lm %runtime && %t.O2
// RUN: %clang -O3 -march=x86-64-v3 %pass %include %s -o %t.v3 -lm %runtime && %t.v3
// RUN: %clang -O3 -ffast-math %pass %include %s -o %t.fast -lm %runtime && %t.fast
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

#define MOST 24
#define WORK (MOST + 4)
#define CELLS (WORK + 3 * MOST)

#define MARCH(name, FIRST, NEXT)                                                                                               \
    static double name(const double *x, double *work, int n, int steps)                                                        \
    {                                                                                                                          \
        double *u = work, *v = work + n, sum = 0;                                                                              \
        for (int i = 0; i < n; i++)                                                                                            \
            u[i] = FIRST;                                                                                                      \
        for (int t = 0; t < steps; t++) {                                                                                      \
            v[0] = u[0];                                                                                                       \
            v[n - 1] = u[n - 1];                                                                                               \
            for (int i = 1; i < n - 1; i++)                                                                                    \
                v[i] = NEXT;                                                                                                   \
            double *swap = u;                                                                                                  \
            u = v;                                                                                                             \
            v = swap;                                                                                                          \
        }                                                                                                                      \
        for (int i = 0; i < n; i++)                                                                                            \
            sum += u[i] * u[i] * (i + 1);                                                                                      \
        return sum;                                                                                                            \
    }

// CHECK-LABEL: plan gradient backsweep.primal.march (dup, dup_noneed
// CHECK: goes to another version
// BACK: saves what it overwrites
MARCH(march, x[i], u[i] - 0.2 * x[i] * u[i] * (u[i + 1] - u[i - 1]))

/* Here nothing is put back, and what was read of x before it was overwritten is read once more on the way back. */
// CHECK-LABEL: plan gradient backsweep.primal.drift (dup, dup_noneed
// CHECK: goes to another version
MARCH(drift, x[i] * x[i], u[i] - 0.2 * (u[i + 1] - u[i - 1]))

typedef double function(const double *, double *, int, int);
typedef void reverse(double *, double *, double *, double *, int, int);

#define REVERSE(f)                                                                                                             \
    static void reverse_##f(double *x, double *dx, double *work, double *dwork, int n, int steps)                              \
    {                                                                                                                          \
        __backsweep_gradient_void((void *)f, x, dx, bs_dup_noneed, work, dwork, n, steps);                                     \
    }
REVERSE(march)
REVERSE(drift)

static void fill(double *memory)
{
    for (int i = 0; i < CELLS; i++)
        memory[i] = 0.5 * sin(12.9898 * i + 4.1414) + 0.2;
}

static double run(function *f, int at, int n, int steps, int moved, double by)
{
    double memory[CELLS];
    fill(memory);
    memory[moved] += by;
    return f(memory + at, memory + WORK, n, steps);
}

static int check(function *f, reverse *back, int at, int n, int steps)
{
    double memory[CELLS], shadow[CELLS] = {0};
    fill(memory);
    back(memory + at, shadow + at, memory + WORK, shadow + WORK, n, steps);
    for (int i = 0; i < CELLS; i++) {
        double expected = (run(f, at, n, steps, i, 1e-6) - run(f, at, n, steps, i, -1e-6)) / 2e-6;
        if (!(fabs(shadow[i] - expected) <= 1e-6 * (1 + fabs(expected)))) {
            printf("at %d, %d cells, %d steps: cell %d has %.12g, by differences %.12g\n", at, n, steps, i, shadow[i], expected);
            return 1;
        }
    }
    return 0;
}

int main(void)
{
    int wrong = 0;
    for (int steps = 0; steps < 5; steps++)
        for (int n = 3; n <= MOST; n += 7)
            for (int at = 0; at <= CELLS - MOST; at += at < 30 ? 1 : 9)
                wrong |= check(march, reverse_march, at, n, steps) | check(drift, reverse_drift, at, n, steps);
    return wrong;
}
