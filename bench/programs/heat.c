/* The heat equation on a line with a constant coefficient: linear in its start, so the adjoint needs no state. */
#include "../program.h"

#define N 4096
#define STEPS 100
#define RATE 0.2

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = bench_number(i);
}

static double primal(const double *restrict x, double *restrict work)
{
    double *u = work, *v = work + N, sum = 0;
    for (int i = 0; i < N; i++)
        u[i] = x[i];
    for (int t = 0; t < STEPS; t++) {
        v[0] = u[0];
        v[N - 1] = u[N - 1];
        for (int i = 1; i < N - 1; i++)
            v[i] = u[i] + RATE * (u[i - 1] - 2 * u[i] + u[i + 1]);
        double *swap = u;
        u = v;
        v = swap;
    }
    for (int i = 0; i < N; i++)
        sum += 0.5 * u[i] * u[i];
    return sum;
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    double *du = dwork, *dv = dwork + N;
    primal(x, work);
    memcpy(dv, work, N * sizeof *dv); /* STEPS is even, so the last state is in the first half. */
    for (int t = 0; t < STEPS; t++) {
        du[0] = dv[0] + RATE * dv[1];
        du[1] = (1 - 2 * RATE) * dv[1] + RATE * dv[2];
        for (int i = 2; i < N - 2; i++)
            du[i] = (1 - 2 * RATE) * dv[i] + RATE * (dv[i - 1] + dv[i + 1]);
        du[N - 2] = (1 - 2 * RATE) * dv[N - 2] + RATE * dv[N - 3];
        du[N - 1] = dv[N - 1] + RATE * dv[N - 2];
        double *swap = du;
        du = dv;
        dv = swap;
    }
    for (int i = 0; i < N; i++)
        dx[i] += dv[i];
    memset(dwork, 0, 2 * N * sizeof *dwork);
}

BENCH_PROGRAM(heat, N, 2 * N)
