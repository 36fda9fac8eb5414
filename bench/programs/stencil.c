/* One nonlinear five-point stencil from one field to another, and the sum of the squares of what it gives. */
#include "../program.h"

#define SIDE 300
#define N (SIDE * SIDE)

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = bench_number(i);
}

static double primal(const double *restrict x, double *restrict work)
{
    double sum = 0;
    for (int j = 1; j < SIDE - 1; j++)
        for (int i = 1; i < SIDE - 1; i++) {
            int at = j * SIDE + i;
            work[at] = x[at] * (x[at - 1] + x[at + 1] + x[at - SIDE] + x[at + SIDE] - 4 * x[at]);
        }
    for (int j = 1; j < SIDE - 1; j++)
        for (int i = 1; i < SIDE - 1; i++)
            sum += work[j * SIDE + i] * work[j * SIDE + i];
    return sum;
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    (void)work, (void)dwork;
    for (int j = 1; j < SIDE - 1; j++)
        for (int i = 1; i < SIDE - 1; i++) {
            int at = j * SIDE + i;
            double around = x[at - 1] + x[at + 1] + x[at - SIDE] + x[at + SIDE] - 4 * x[at];
            double d = 2 * x[at] * around, side = d * x[at];
            dx[at] += d * around - 4 * side;
            dx[at - 1] += side;
            dx[at + 1] += side;
            dx[at - SIDE] += side;
            dx[at + SIDE] += side;
        }
}

BENCH_PROGRAM(stencil, N, N)
