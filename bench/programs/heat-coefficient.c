/* The heat equation on a line whose coefficient is sought: the adjoint needs every state. */
#include "../program.h"

#define N 2048
#define STEPS 100

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++) {
        x[i] = 0.2 + 0.1 * bench_number(i);
        x[N + i] = bench_number(3 * i + 1);
    }
}

/* x: the coefficients, then the start. */
static double primal(const double *restrict x, double *restrict work)
{
    const double *c = x;
    double *u = work, *v = work + N, sum = 0;
    for (int i = 0; i < N; i++)
        u[i] = x[N + i];
    for (int t = 0; t < STEPS; t++) {
        v[0] = u[0];
        v[N - 1] = u[N - 1];
        for (int i = 1; i < N - 1; i++)
            v[i] = u[i] + c[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
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
    static double states[STEPS + 1][N];
    const double *c = x;
    double *du = dwork, *dv = dwork + N;
    (void)work;
    memcpy(states[0], x + N, sizeof states[0]);
    for (int t = 0; t < STEPS; t++) {
        const double *u = states[t];
        double *v = states[t + 1];
        v[0] = u[0];
        v[N - 1] = u[N - 1];
        for (int i = 1; i < N - 1; i++)
            v[i] = u[i] + c[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
    }
    memcpy(dv, states[STEPS], N * sizeof *dv);
    for (int t = STEPS - 1; t >= 0; t--) {
        const double *u = states[t];
        for (int i = 1; i < N - 1; i++)
            dx[i] += (u[i - 1] - 2 * u[i] + u[i + 1]) * dv[i];
        du[0] = dv[0] + c[1] * dv[1];
        du[1] = (1 - 2 * c[1]) * dv[1] + c[2] * dv[2];
        for (int i = 2; i < N - 2; i++)
            du[i] = (1 - 2 * c[i]) * dv[i] + c[i - 1] * dv[i - 1] + c[i + 1] * dv[i + 1];
        du[N - 2] = (1 - 2 * c[N - 2]) * dv[N - 2] + c[N - 3] * dv[N - 3];
        du[N - 1] = dv[N - 1] + c[N - 2] * dv[N - 2];
        double *swap = du;
        du = dv;
        dv = swap;
    }
    for (int i = 0; i < N; i++)
        dx[N + i] += dv[i];
    memset(dwork, 0, 2 * N * sizeof *dwork);
}

BENCH_PROGRAM(heat_coefficient, 2 * N, 2 * N)
