/* Rows of a grid whose adjoints are added to the same rows run two at a time, where whatever is no sum is apart. Against reverse sweeps written
 * down as they are defined, with grids that overlap at any distance, rows that overlap or go backwards, and any number of rows. */
// RUN: %clang -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -fno-discard-value-names %pass %include -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 -lm %runtime && %t.O2
// RUN: %clang -O3 -march=x86-64-v3 %pass %include %s -o %t.v3 -lm %runtime && %t.v3
// RUN: %clang -O3 -march=x86-64-v3 -ffast-math -DTOLERANCE=1e-11 %pass %include %s -o %t.fast -lm %runtime && %t.fast
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

#ifndef TOLERANCE
#define TOLERANCE 1e-12
#endif
#define CELLS 2000

/* Any two of the arrays may overlap. */
static void five_points(const double *u, double *v, const double *k, long row, int rows, int columns)
{
    for (int i = 1; i < rows - 1; i++)
        for (int j = 1; j < columns - 1; j++) {
            const double *c = u + i * row + j;
            v[i * row + j] = k[j] * (c[-1] + 2 * c[0] + c[1] + 3 * c[-row] - c[row]);
        }
}

// CHECK-LABEL: define {{.*}}@adjoint_of_five_points(
// CHECK: .joined
// CHECK: {{^}}}
void adjoint_of_five_points(const double *u, double *du, double *v, double *dv, const double *k, long row, int rows, int columns)
{
    __backsweep_gradient_void((void *)five_points, u, du, bs_dup_noneed, v, dv, bs_const, k, row, rows, columns);
}

/* Every cell of the matrix has one adjoint, the vector's are added up over all rows. */
static void products(const double *matrix, const double *vector, double *out, long row, int rows, int columns)
{
    for (int i = 0; i < rows; i++) {
        double dot = 0;
        for (int j = 0; j < columns; j++)
            dot += matrix[i * row + j] * vector[j];
        out[i] = dot;
    }
}

// CHECK-LABEL: define {{.*}}@adjoint_of_products(
// CHECK: .joined
// CHECK: {{^}}}
void adjoint_of_products(const double *matrix, double *dmatrix, const double *vector, double *dvector, double *out, double *dout, long row,
                         int rows, int columns)
{
    __backsweep_gradient_void((void *)products, matrix, dmatrix, vector, dvector, bs_dup_noneed, out, dout, row, rows, columns);
}

/* What a row reads another has written: rows have to be reversed one by one. */
static void in_place(double *u, int columns, const double *k)
{
    for (int i = 1; i < 20; i++)
        for (int j = 1; j < columns; j++)
            u[i * 50 + j] = k[j] * (u[i * 50 + j] + u[(i - 1) * 50 + j] + u[i * 50 + j - 1]);
}

// CHECK-LABEL: define {{.*}}@adjoint_of_in_place(
// CHECK-NOT: .joined
// CHECK: {{^}}}
void adjoint_of_in_place(double *u, double *du, int columns, const double *k)
{
    __backsweep_gradient_void((void *)in_place, bs_dup_noneed, u, du, columns, bs_const, k);
}

static double numbers[CELLS + 20];

static void fill(double *x, double *dx)
{
    memcpy(x, numbers, CELLS * sizeof *x);
    memcpy(dx, numbers + 3, CELLS * sizeof *dx);
}

static int agree(const char *what, const double *found, const double *expected, long a, long b, long c, long d)
{
    for (int i = 0; i < CELLS; i++)
        if (!(fabs(found[i] - expected[i]) <= TOLERANCE * (1 + fabs(expected[i])))) {
            printf("%s(%ld, %ld, %ld, %ld), cell %d: %.17g, expected %.17g\n", what, a, b, c, d, i, found[i], expected[i]);
            return 0;
        }
    return 1;
}

/* The shadow of the result begins so many cells behind that of the grid. */
static int check_five_points(long behind, long row, int rows, int columns)
{
    static double x[CELLS], dx[CELLS], expected[CELLS], k[CELLS];
    fill(x, dx);
    for (int i = 0; i < CELLS; i++)
        k[i] = 0.2 * numbers[i + 11];
    memcpy(expected, dx, sizeof dx);
    double *du = expected + 700, *dv = du + behind;
    for (int i = rows - 2; i > 0; i--)
        for (int j = columns - 2; j > 0; j--) {
            const long c = i * row + j;
            const double d = k[j] * dv[c];
            dv[c] = 0;
            du[c - 1] += d, du[c] += 2 * d, du[c + 1] += d, du[c - row] += 3 * d, du[c + row] -= d;
        }
    adjoint_of_five_points(x + 700, dx + 700, x + 700 + behind, dx + 700 + behind, k, row, rows, columns);
    return agree("five_points", dx, expected, behind, row, rows, columns);
}

/* The vector begins so many cells behind the matrix, and the result so many behind that. */
static int check_products(long vector, long out, long row, int rows, int columns)
{
    static double x[CELLS], dx[CELLS], expected[CELLS];
    fill(x, dx);
    memcpy(expected, dx, sizeof dx);
    double *m = x + 700, *dm = expected + 700, kept[CELLS];
    memcpy(kept, x, sizeof x);
    const double *read = kept + 700;
    for (int i = rows - 1; i >= 0; i--) {
        const double d = dm[vector + out + i];
        dm[vector + out + i] = 0;
        for (int j = columns - 1; j >= 0; j--) {
            dm[i * row + j] += d * read[vector + j];
            dm[vector + j] += d * read[i * row + j];
        }
    }
    /* The result lies elsewhere, so that nothing that is read is overwritten; only shadows meet. */
    double result[64];
    adjoint_of_products(m, dx + 700, m + vector, dx + 700 + vector, result, dx + 700 + vector + out, row, rows, columns);
    return agree("products", dx, expected, vector, out, row, rows * 100 + columns);
}

static int check_in_place(int columns)
{
    static double x[CELLS], dx[CELLS], expected[CELLS], k[CELLS];
    fill(x, dx);
    for (int i = 0; i < CELLS; i++)
        k[i] = 0.3 * numbers[i + 11];
    memcpy(expected, dx, sizeof dx);
    for (int i = 19; i > 0; i--)
        for (int j = columns - 1; j > 0; j--) {
            const double d = k[j] * expected[i * 50 + j];
            expected[i * 50 + j] = d;
            expected[(i - 1) * 50 + j] += d;
            expected[i * 50 + j - 1] += d;
        }
    adjoint_of_in_place(x, dx, columns, k);
    return agree("in_place", dx, expected, columns, 0, 0, 0);
}

int main(void)
{
    int good = 1;
    for (int i = 0; i < CELLS + 20; i++)
        numbers[i] = sin(12.9898 * i + 4.1414);
    for (int rows = 2; rows <= 14; rows += 1 + rows / 6)
        for (int columns = 3; columns <= 23; columns += 10)
            for (long row = columns - 4; row <= columns + 4; row += 2)
                for (long behind = -36; behind <= 36; behind += 3)
                    good = good && check_five_points(behind, row, rows, columns) && check_five_points(behind, -row, rows, columns);
    for (long behind = -690; behind <= 690; behind += 3)
        good = good && check_five_points(behind, 20, 15, 19) && check_five_points(behind, 17, 14, 19);
    for (int rows = 1; rows <= 11; rows += 1 + rows / 5)
        for (int columns = 1; columns <= 19; columns += 9)
            for (long row = columns - 1; row <= columns + 2; row++)
                for (long vector = -60; vector <= 270; vector += 7)
                    good = good && check_products(vector, 300, row, rows, columns) && check_products(vector, -15, row, rows, columns) &&
                           check_products(300, vector - 300, row, rows, columns);
    for (int columns = 2; columns <= 50; columns++)
        good = good && check_in_place(columns);
    return !good;
}
