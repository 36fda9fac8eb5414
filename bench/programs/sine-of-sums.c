/* A sum that grows, and enters each term: figure 1 of the paper on linearity, which no loop reverses without keeping something. */
#include "../program.h"

#define N 200000

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = 0.1 * bench_number(i);
}

static double primal(const double *restrict x, double *restrict work)
{
    double a = 0, f = 0;
    (void)work;
    for (int i = 0; i < N; i++) {
        a += x[i] * x[i];
        f += sin(a);
    }
    return f;
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    static double cosines[N];
    double a = 0, da = 0;
    (void)work, (void)dwork;
    for (int i = 0; i < N; i++) {
        a += x[i] * x[i];
        cosines[i] = cos(a);
    }
    for (int i = N; i-- > 0;) {
        da += cosines[i];
        dx[i] += 2 * x[i] * da;
    }
}

BENCH_PROGRAM(sine_of_sums, N, 1)
