/* The sum of the squares of dot products of neighbouring rows: reductions whose results enter nonlinearly. */
#include "../program.h"

#define ROWS 200
#define LENGTH 400
#define N (ROWS * LENGTH)

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = bench_number(i);
}

static double primal(const double *restrict x, double *restrict work)
{
    double sum = 0;
    (void)work;
    for (int r = 0; r < ROWS - 1; r++) {
        double dot = 0;
        for (int i = 0; i < LENGTH; i++)
            dot += x[r * LENGTH + i] * x[(r + 1) * LENGTH + i];
        sum += dot * dot;
    }
    return sum;
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    (void)work, (void)dwork;
    for (int r = 0; r < ROWS - 1; r++) {
        const double *a = x + r * LENGTH, *b = a + LENGTH;
        double *da = dx + r * LENGTH, *db = da + LENGTH, dot = 0;
        for (int i = 0; i < LENGTH; i++)
            dot += a[i] * b[i];
        for (int i = 0; i < LENGTH; i++) {
            da[i] += 2 * dot * b[i];
            db[i] += 2 * dot * a[i];
        }
    }
}

BENCH_PROGRAM(dot_products, N, 1)
