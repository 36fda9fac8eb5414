/* Jacobi's iteration for Poisson's equation on a square, by its right-hand side: linear, a fixed number of sweeps. */
#include "../program.h"

#define SIDE 64
#define N (SIDE * SIDE)
#define SWEEPS 100

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = bench_number(i);
}

static double primal(const double *restrict x, double *restrict work)
{
    double *u = work, *v = work + N, sum = 0;
    for (int c = 0; c < 2 * N; c++)
        work[c] = 0;
    for (int t = 0; t < SWEEPS; t++) {
        for (int i = 1; i < SIDE - 1; i++)
            for (int j = 1; j < SIDE - 1; j++) {
                int c = i * SIDE + j;
                v[c] = 0.25 * (u[c - 1] + u[c + 1] + u[c - SIDE] + u[c + SIDE] + x[c]);
            }
        double *swap = u;
        u = v;
        v = swap;
    }
    for (int c = 0; c < N; c++)
        sum += 0.5 * u[c] * u[c];
    return sum;
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    double *du = dwork, *dv = dwork + N;
    primal(x, work);
    memcpy(dv, work, N * sizeof *dv); /* SWEEPS is even, so the last state is in the first half. */
    for (int t = 0; t < SWEEPS; t++) {
        for (int i = 1; i < SIDE - 1; i++)
            for (int j = 1; j < SIDE - 1; j++) {
                int c = i * SIDE + j;
                dx[c] += 0.25 * dv[c];
                /* The rim of dv is zero, as nothing depends on the rim. */
                du[c] = 0.25 * (dv[c - 1] + dv[c + 1] + dv[c - SIDE] + dv[c + SIDE]);
            }
        double *swap = du;
        du = dv;
        dv = swap;
    }
    memset(dwork, 0, 2 * N * sizeof *dwork);
}

BENCH_PROGRAM(jacobi, N, 2 * N)
