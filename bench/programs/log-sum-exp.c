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

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    static double shares[N];
    double largest = x[0], sum = 0;
    (void)work, (void)dwork;
    for (int i = 1; i < N; i++)
        if (x[i] > largest)
            largest = x[i];
    for (int i = 0; i < N; i++) {
        shares[i] = exp(x[i] - largest);
        sum += shares[i];
    }
    for (int i = 0; i < N; i++)
        dx[i] += shares[i] / sum;
}

BENCH_PROGRAM(log_sum_exp, N, 1)
