/* Views of a matrix by value: a pointer, sizes and strides. They are handed to a function that calls itself, so what is copied
 * where they are given to the one and used by the other becomes one access. */
// RUN: %levels %s double 0.3 1.2 -0.6 0.9 1.1
#include "source.h"
#include <math.h>

typedef struct {
    double *data;
    int rows, columns, row_step, column_step;
} view;

#define AT(v, i, j) (v).data[(i) * (v).row_step + (j) * (v).column_step]

static view transposed(view v)
{
    return (view){v.data, v.columns, v.rows, v.column_step, v.row_step};
}

static view part(view v, int i, int j, int rows, int columns)
{
    return (view){&AT(v, i, j), rows, columns, v.row_step, v.column_step};
}

/* c += factor a b */
static void multiply(double factor, view a, view b, view c)
{
    for (int i = 0; i < c.rows; i++)
        for (int j = 0; j < c.columns; j++) {
            double sum = 0;
            for (int k = 0; k < a.columns; k++)
                sum += AT(a, i, k) * AT(b, k, j);
            AT(c, i, j) += factor * sum;
        }
}

/* By halves: a = l l' */
static void cholesky(view a)
{
    if (a.rows == 1) {
        AT(a, 0, 0) = sqrt(AT(a, 0, 0));
        return;
    }
    int half = a.rows / 2, rest = a.rows - half;
    view first = part(a, 0, 0, half, half), below = part(a, half, 0, rest, half), last = part(a, half, half, rest, rest);
    cholesky(first);
    for (int i = 0; i < below.rows; i++)
        for (int j = 0; j < half; j++) {
            double sum = AT(below, i, j);
            for (int k = 0; k < j; k++)
                sum -= AT(below, i, k) * AT(first, j, k);
            AT(below, i, j) = sum / AT(first, j, j);
        }
    multiply(-1, below, transposed(below), last);
    cholesky(last);
}

static double f(const double *x, int n)
{
    double numbers[25] = {0};
    view a = {numbers, 5, 5, 5, 1};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < 5; j++)
            AT(a, i, j) = x[(i + j) % n] * x[(i + j) % n] * 0.2 + (i == j ? 3 + x[i % n] : 0);
    cholesky(a);
    double sum = 0;
    for (int i = 0; i < 5; i++)
        for (int j = 0; j <= i; j++)
            sum += AT(a, i, j) * (1 + i - 0.5 * j) * AT(a, i, j);
    return sum;
}

REQUESTS(f)
