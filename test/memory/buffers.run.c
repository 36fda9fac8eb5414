/* Two buffers in one parameter change places in each step, without `restrict`: on entry it is tested whether the inputs lie in
 * them. They may lie there at any distance, with their shadows, and the version for memory that overlaps is right, too. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %include %s -o %t.ll
// RUN: %opt '-passes=print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck %s
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

// CHECK-LABEL: plan gradient backsweep.primal.march (dup, dup_noneed
// CHECK: saves what it overwrites
static double march(const double *x, double *work, int n, int steps)
{
    double *u = work, *v = work + n, sum = 0;
    for (int i = 0; i < n; i++)
        u[i] = x[i];
    for (int t = 0; t < steps; t++) {
        v[0] = u[0];
        v[n - 1] = u[n - 1];
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] - 0.2 * x[i] * u[i] * (u[i + 1] - u[i - 1]);
        double *swap = u;
        u = v;
        v = swap;
    }
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i] * (i + 1);
    return sum;
}

static void fill(double *memory)
{
    for (int i = 0; i < CELLS; i++)
        memory[i] = 0.5 * sin(12.9898 * i + 4.1414) + 0.2;
}

static double run(int at, int n, int steps, int moved, double by)
{
    double memory[CELLS];
    fill(memory);
    memory[moved] += by;
    return march(memory + at, memory + WORK, n, steps);
}

static int check(int at, int n, int steps)
{
    double memory[CELLS], shadow[CELLS] = {0};
    fill(memory);
    __backsweep_gradient_void((void *)march, memory + at, shadow + at, bs_dup_noneed, memory + WORK, shadow + WORK, n, steps);
    for (int i = 0; i < CELLS; i++) {
        double expected = (run(at, n, steps, i, 1e-6) - run(at, n, steps, i, -1e-6)) / 2e-6;
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
                wrong |= check(at, n, steps);
    return wrong;
}
