/* A dense matrix times a vector, and the sum of the squares of the product. */
#include "../program.h"

#define ROWS 250
#define COLUMNS 300
#define N (ROWS * COLUMNS + COLUMNS)

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = bench_number(i);
}

static double primal(const double *restrict x, double *restrict work)
{
    const double *matrix = x, *vector = x + ROWS * COLUMNS;
    double sum = 0;
    for (int r = 0; r < ROWS; r++) {
        double dot = 0;
        for (int c = 0; c < COLUMNS; c++)
            dot += matrix[r * COLUMNS + c] * vector[c];
        work[r] = dot;
    }
    for (int r = 0; r < ROWS; r++)
        sum += work[r] * work[r];
    return sum;
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    const double *matrix = x, *vector = x + ROWS * COLUMNS;
    double *dmatrix = dx, *dvector = dx + ROWS * COLUMNS;
    (void)work, (void)dwork;
    for (int r = 0; r < ROWS; r++) {
        double dot = 0;
        for (int c = 0; c < COLUMNS; c++)
            dot += matrix[r * COLUMNS + c] * vector[c];
        for (int c = 0; c < COLUMNS; c++) {
            dmatrix[r * COLUMNS + c] += 2 * dot * vector[c];
            dvector[c] += 2 * dot * matrix[r * COLUMNS + c];
        }
    }
}

BENCH_PROGRAM(matrix_vector, N, ROWS)
