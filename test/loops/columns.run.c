/* Loops over rows of a length that the caller says, which lay two numbers in each record: the columns of the records are not compared with each
 * other, so that such a loop is vectorised. Against forward mode, with grids that overlap at any distance. */
// RUN: %clang -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops %pass %include -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 -lm %runtime && %t.O2
// RUN: %clang -O3 -march=x86-64-v3 %pass %include %s -o %t.v3 -lm %runtime && %t.v3
// RUN: %clang -O3 -march=x86-64-v3 -ffast-math %pass %include %s -o %t.fast -lm %runtime && %t.fast
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

#define CELLS 1500

struct grids {
    long u, v, a, b, row;
    int rows, columns;
};

/* All four grids lie in one array, and change places. */
static void step(double *w, long u0, long v0, long a0, long b0, long row, int rows, int columns)
{
    double *u = w + u0, *v = w + v0, *a = w + a0, *b = w + b0;
    for (int t = 0; t < 3; t++) {
        for (int i = 1; i < rows - 1; i++)
            for (int j = 1; j < columns - 1; j++) {
                const long c = i * row + j;
                const double p = u[c] - 0.1 * (u[c] * (u[c + row] - u[c - row]) + v[c] * (u[c + 1] - u[c - 1]));
                const double q = v[c] - 0.1 * (u[c] * (v[c + row] - v[c - row]) + v[c] * (v[c + 1] - v[c - 1]));
                a[c] = 0.7 * p;
                b[c] = 0.7 * q;
            }
        double *swap = u;
        u = a;
        a = swap;
        swap = v;
        v = b;
        b = swap;
    }
}

// CHECK-LABEL: define {{.*}}@adjoint_of_step(
// CHECK: !"backsweep.columns"
void adjoint_of_step(double *w, double *dw, long u, long v, long a, long b, long row, int rows, int columns)
{
    __backsweep_gradient_void((void *)step, w, dw, u, v, a, b, row, rows, columns);
}

void tangent_of_step(double *w, double *dw, long u, long v, long a, long b, long row, int rows, int columns)
{
    __backsweep_tangent_void((void *)step, w, dw, u, v, a, b, row, rows, columns);
}

static double numbers[CELLS + 20];

static int check(struct grids g)
{
    static double w[CELLS], forward[CELLS], adjoint[CELLS];
    double left = 0, right = 0, size = 1;
    memcpy(w, numbers, sizeof w);
    memcpy(forward, numbers + 7, sizeof forward);
    tangent_of_step(w, forward, g.u, g.v, g.a, g.b, g.row, g.rows, g.columns);
    memcpy(w, numbers, sizeof w);
    memcpy(adjoint, numbers + 13, sizeof adjoint);
    adjoint_of_step(w, adjoint, g.u, g.v, g.a, g.b, g.row, g.rows, g.columns);
    for (int i = 0; i < CELLS; i++) {
        left += forward[i] * numbers[i + 13];
        right += adjoint[i] * numbers[i + 7];
        size += fabs(adjoint[i] * numbers[i + 7]);
    }
    if (fabs(left - right) <= 1e-12 * size)
        return 1;
    printf("grids at %ld, %ld, %ld, %ld, row %ld, %d by %d: %.17g and %.17g\n", g.u, g.v, g.a, g.b, g.row, g.rows, g.columns, left, right);
    return 0;
}

int main(void)
{
    int good = 1;
    for (int i = 0; i < CELLS + 20; i++)
        numbers[i] = sin(12.9898 * i + 4.1414);
    for (int rows = 3; rows <= 9; rows += 3)
        for (int columns = 3; columns <= 27; columns += 6)
            for (long row = columns - 3; row <= columns + 3; row += 3)
                for (long at = -60; at <= 60; at += 3) {
                    good = good && check((struct grids){300, 600, 900, 1200, row, rows, columns});
                    good = good && check((struct grids){300, 300 + at, 900, 1200, row, rows, columns});
                    good = good && check((struct grids){300, 600, 300 + at, 1200, row, rows, columns});
                    good = good && check((struct grids){300, 600, 900, 900 + at, row, rows, columns});
                    good = good && check((struct grids){600, 600 + at, 600 - at, 600 + 2 * at, row, rows, columns});
                }
    return !good;
}
