/* Burgers' equation, explicit, with its nonlinear advection: the adjoint needs every state. */
#include "../program.h"

#define N 2048
#define STEPS 100
#define ADVECTION 0.05
#define DIFFUSION 0.1

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = sin(6.283185307179586 * (double)i / N) + 0.1 * bench_number(i);
}

static void step(const double *restrict u, double *restrict v)
{
    v[0] = u[0];
    v[N - 1] = u[N - 1];
    for (int i = 1; i < N - 1; i++)
        v[i] = u[i] - ADVECTION * u[i] * (u[i + 1] - u[i - 1]) + DIFFUSION * (u[i - 1] - 2 * u[i] + u[i + 1]);
}

static double primal(const double *restrict x, double *restrict work)
{
    double *u = work, *v = work + N, sum = 0;
    for (int i = 0; i < N; i++)
        u[i] = x[i];
    for (int t = 0; t < STEPS; t++) {
        step(u, v);
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
    double *du = dwork, *dv = dwork + N;
    (void)work;
    memcpy(states[0], x, sizeof states[0]);
    for (int t = 0; t < STEPS; t++)
        step(states[t], states[t + 1]);
    memcpy(dv, states[STEPS], N * sizeof *dv);
    for (int t = STEPS - 1; t >= 0; t--) {
        const double *u = states[t];
        /* What v[i - 1], v[i] and v[i + 1] say about u[i]; the ends of v copy u. */
        for (int i = 2; i < N - 2; i++)
            du[i] = (1 - ADVECTION * (u[i + 1] - u[i - 1]) - 2 * DIFFUSION) * dv[i] +
                    (DIFFUSION - ADVECTION * u[i - 1]) * dv[i - 1] + (DIFFUSION + ADVECTION * u[i + 1]) * dv[i + 1];
        du[0] = dv[0] + (DIFFUSION + ADVECTION * u[1]) * dv[1];
        du[1] = (1 - ADVECTION * (u[2] - u[0]) - 2 * DIFFUSION) * dv[1] + (DIFFUSION + ADVECTION * u[2]) * dv[2];
        du[N - 2] = (1 - ADVECTION * (u[N - 1] - u[N - 3]) - 2 * DIFFUSION) * dv[N - 2] +
                    (DIFFUSION - ADVECTION * u[N - 3]) * dv[N - 3];
        du[N - 1] = dv[N - 1] + (DIFFUSION - ADVECTION * u[N - 2]) * dv[N - 2];
        double *swap = du;
        du = dv;
        dv = swap;
    }
    for (int i = 0; i < N; i++)
        dx[i] += dv[i];
    memset(dwork, 0, 2 * N * sizeof *dwork);
}

BENCH_PROGRAM(burgers, N, 2 * N)
