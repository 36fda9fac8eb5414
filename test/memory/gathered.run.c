/* What is read by indices, while something is written that may lie anywhere: nobody has said `restrict`, and no test on entry can tell how far
 * indices lead. What the store overwrites is saved, once a row, and put back, so that entries, vector and indices are read again. The result may
 * lie on any of the numbers; they are there afterwards as the primal has left them. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %include %s -o %t.ll
// RUN: %opt '-passes=print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 -lm %runtime && %t.O2
// RUN: %clang -O3 -march=x86-64-v3 %pass %include %s -o %t.v3 -lm %runtime && %t.v3
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

#define ROWS 7
#define EACH 3
#define ENTRIES (ROWS * EACH)
#define N (ENTRIES + ROWS)
#define CELLS (2 * N + 2 * ROWS)

static int starts[ROWS + 1], columns[ENTRIES];

// CHECK-LABEL: plan gradient backsweep.primal.product (dup, dup_noneed
// CHECK-DAG: recompute, what overwrites it is undone, so it is read again
// CHECK-DAG: saves what it overwrites, which is put back on the way back
// CHECK-DAG: what it leaves is kept for the caller
static double product(const double *x, double *work)
{
    const double *v = x + ENTRIES;
    double sum = 0;
    for (int r = 0; r < ROWS; r++) {
        double y = 0;
        for (int k = starts[r]; k < starts[r + 1]; k++)
            y += x[k] * v[columns[k]] * v[columns[k]];
        work[r] = y;
    }
    for (int r = 0; r < ROWS; r++)
        sum += 0.5 * work[r] * work[r];
    return sum;
}

static void reverse(double *x, double *dx, double *work, double *dwork)
{
    __backsweep_gradient_void((void *)product, x, dx, bs_dup_noneed, work, dwork);
}

static void fill(double *memory)
{
    for (int i = 0; i < CELLS; i++)
        memory[i] = 0.5 * sin(12.9898 * i + 4.1414) + 0.2;
}

static double run(int at, int moved, double by)
{
    double memory[CELLS];
    fill(memory);
    memory[moved] += by;
    return product(memory + ROWS, memory + at);
}

int main(void)
{
    int wrong = 0;
    for (int r = 0; r < ROWS; r++) {
        starts[r + 1] = (r + 1) * EACH;
        for (int k = 0; k < EACH; k++)
            columns[r * EACH + k] = (r + 2 * k * k) % ROWS;
    }
    for (int at = 0; at + ROWS <= CELLS; at++) {
        double memory[CELLS], left[CELLS], shadow[CELLS] = {0};
        fill(left);
        product(left + ROWS, left + at);
        fill(memory);
        reverse(memory + ROWS, shadow + ROWS, memory + at, shadow + at);
        for (int i = 0; i < CELLS; i++) {
            double expected = (run(at, i, 1e-6) - run(at, i, -1e-6)) / 2e-6;
            if (!(fabs(shadow[i] - expected) <= 1e-6 * (1 + fabs(expected)))) {
                printf("result at %d: cell %d has %.12g, by differences %.12g\n", at, i, shadow[i], expected);
                wrong = 1;
            }
            int is_input = i >= ROWS && i < ROWS + N;
            if (is_input && memory[i] != left[i]) {
                printf("result at %d: cell %d is left as %.12g, by the primal as %.12g\n", at, i, memory[i], left[i]);
                wrong = 1;
            }
        }
    }
    return wrong;
}
