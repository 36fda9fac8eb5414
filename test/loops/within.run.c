/* A nest whose rows are reversed from the last to the first: the loop over a row is vectorised, with its test of whether the
 * arrays are apart where the row is entered. Shadows may lie on what is read, at any distance, and rows may be of a length known only at run time. */
// RUN: %clang -O3 -march=x86-64-v3 %pass %include -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 -lm %runtime && %t.O2
// RUN: %clang -O3 -march=x86-64-v3 %pass %include %s -o %t.O3 -lm %runtime && %t.O3
// RUN: %clang -O3 -march=x86-64-v3 -ffast-math -DTOLERANCE=1e-11 %pass %include %s -o %t.fast -lm %runtime && %t.fast
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

#ifndef TOLERANCE
#define TOLERANCE 1e-12
#endif
#define ROWS 6
#define COLUMNS 40
#define CELLS (ROWS * COLUMNS)

/* Each row's product is read again, so what a row adds to is known only when all rows are through. */
static void products(const double *matrix, const double *vector, double *out)
{
    for (int r = 0; r < ROWS; r++) {
        double dot = 0;
        for (int c = 0; c < COLUMNS; c++)
            dot += matrix[r * COLUMNS + c] * vector[c];
        out[r] = dot;
    }
}

static void products_of(const double *matrix, const double *vector, double *out, int rows, int columns)
{
    for (int r = 0; r < rows; r++) {
        double dot = 0;
        for (int c = 0; c < columns; c++)
            dot += matrix[r * columns + c] * vector[c];
        out[r] = dot;
    }
}

void adjoint_of_products(const double *matrix, double *dmatrix, const double *vector, double *dvector, double *out,
                         double *dout)
{
    __backsweep_gradient_void((void *)products, matrix, dmatrix, vector, dvector, bs_dup_noneed, out, dout);
}

// CHECK-LABEL: define {{.*}}@adjoint_of_products_of(
// CHECK: fmul {{(contract )?}}<4 x double>
// CHECK: {{^}}}
// Two call this one, which is not inlined into both of them.
// CHECK-LABEL: define {{.*}}@backsweep.gradient.products(
// CHECK: fmul {{(contract )?}}<4 x double>
// CHECK: {{^}}}
void adjoint_of_products_of(const double *matrix, double *dmatrix, const double *vector, double *dvector, double *out,
                            double *dout, int rows, int columns)
{
    __backsweep_gradient_void((void *)products_of, matrix, dmatrix, vector, dvector, bs_dup_noneed, out, dout, rows, columns);
}

static double number(int i) { return sin(12.9898 * i + 4.1414); }

/* Both adjoints where the vector is so many numbers behind the beginning of the matrix: they share cells, and so do their
 * shadows. Vectors of cells must not be added to where a cell is in two of them. */
static int check(int behind, int of_any_size)
{
    double x[2 * CELLS], dx[2 * CELLS], expected[2 * CELLS] = {0}, out[ROWS], dout[ROWS];
    for (int i = 0; i < 2 * CELLS; i++)
        x[i] = number(i), dx[i] = 0;
    for (int r = 0; r < ROWS; r++)
        dout[r] = number(r + 7);
    for (int r = 0; r < ROWS; r++)
        for (int c = 0; c < COLUMNS; c++) {
            expected[r * COLUMNS + c] += dout[r] * x[behind + c];
            expected[behind + c] += dout[r] * x[r * COLUMNS + c];
        }
    if (of_any_size)
        adjoint_of_products_of(x, dx, x + behind, dx + behind, out, dout, ROWS, COLUMNS);
    else
        adjoint_of_products(x, dx, x + behind, dx + behind, out, dout);
    for (int i = 0; i < 2 * CELLS; i++)
        if (!(fabs(dx[i] - expected[i]) <= TOLERANCE)) {
            printf("vector %d behind, cell %d: %.17g, expected %.17g\n", behind, i, dx[i], expected[i]);
            return 0;
        }
    return 1;
}

int main(void)
{
    for (int behind = 0; behind <= CELLS; behind++)
        if (!check(behind, 0) || !check(behind, 1))
            return 1;
    return 0;
}
