/* The logarithm of a sum of exponentials, guarded by the largest. */
#include "../program.h"

#define N 50000

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = 5 * bench_number(i);
}

static double primal(const double *restrict x, double *restrict work)
{
    double largest = x[0], sum = 0;
    (void)work;
    for (int i = 1; i < N; i++)
        if (x[i] > largest)
            largest = x[i];
    for (int i = 0; i < N; i++)
        sum += exp(x[i] - largest);
    return largest + log(sum);
}

/* Both are told that dx holds zeros, and so the exponentials have room in it. */
static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    double largest = x[0], sum = 0;
    (void)work, (void)dwork;
    for (int i = 1; i < N; i++)
        if (x[i] > largest)
            largest = x[i];
    for (int i = 0; i < N; i++) {
        dx[i] = exp(x[i] - largest);
        sum += dx[i];
    }
    for (int i = 0; i < N; i++)
        dx[i] /= sum;
}

BENCH_PROGRAM_ON_ZEROS(log_sum_exp, N, 1)
