/* A sum of squares: each iteration is by itself, and the gradient needs nothing but the inputs. */
#include "../program.h"

#define N 100000

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = bench_number(i);
}

static double primal(const double *restrict x, double *restrict work)
{
    double sum = 0;
    (void)work;
    for (int i = 0; i < N; i++)
        sum += x[i] * x[i];
    return sum;
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    (void)work, (void)dwork;
    for (int i = 0; i < N; i++)
        dx[i] += 2 * x[i];
}

BENCH_PROGRAM(sum_of_squares, N, 1)
