/* Shallow water on a periodic line, height and velocity updated in place one after the other. */
#include "../program.h"

#define N 1024
#define STEPS 100
#define C 0.05
#define GRAVITY 9.81
#define DEPTH 1.0

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = 0.05 * sin(6.283185307179586 * (double)i / N) + 0.001 * bench_number(i);
}

/* From the height at the start; velocity u[i] stands between h[i - 1] and h[i]. */
static double primal(const double *restrict x, double *restrict work)
{
    double *h = work, *u = work + N, *flux = work + 2 * N, sum = 0;
    for (int i = 0; i < N; i++) {
        h[i] = x[i];
        u[i] = 0;
    }
    for (int t = 0; t < STEPS; t++) {
        u[0] -= C * GRAVITY * (h[0] - h[N - 1]);
        for (int i = 1; i < N; i++)
            u[i] -= C * GRAVITY * (h[i] - h[i - 1]);
        flux[0] = (DEPTH + 0.5 * (h[0] + h[N - 1])) * u[0];
        for (int i = 1; i < N; i++)
            flux[i] = (DEPTH + 0.5 * (h[i] + h[i - 1])) * u[i];
        for (int i = 0; i < N - 1; i++)
            h[i] -= C * (flux[i + 1] - flux[i]);
        h[N - 1] -= C * (flux[0] - flux[N - 1]);
    }
    for (int i = 0; i < N; i++)
        sum += 0.5 * h[i] * h[i];
    return sum;
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    /* The heights before each step and the velocities in it. */
    static double heights[STEPS][N], velocities[STEPS][N];
    double *h = work, *u = work + N, *flux = work + 2 * N;
    double *dh = dwork, *du = dwork + N, *df = dwork + 2 * N;
    memcpy(h, x, N * sizeof *h);
    memset(u, 0, N * sizeof *u);
    for (int t = 0; t < STEPS; t++) {
        memcpy(heights[t], h, sizeof heights[t]);
        u[0] -= C * GRAVITY * (h[0] - h[N - 1]);
        for (int i = 1; i < N; i++)
            u[i] -= C * GRAVITY * (h[i] - h[i - 1]);
        memcpy(velocities[t], u, sizeof velocities[t]);
        flux[0] = (DEPTH + 0.5 * (h[0] + h[N - 1])) * u[0];
        for (int i = 1; i < N; i++)
            flux[i] = (DEPTH + 0.5 * (h[i] + h[i - 1])) * u[i];
        for (int i = 0; i < N - 1; i++)
            h[i] -= C * (flux[i + 1] - flux[i]);
        h[N - 1] -= C * (flux[0] - flux[N - 1]);
    }
    memcpy(dh, h, N * sizeof *dh);
    for (int t = STEPS - 1; t >= 0; t--) {
        const double *ht = heights[t], *ut = velocities[t];
        df[0] = C * (dh[0] - dh[N - 1]);
        for (int i = 1; i < N; i++)
            df[i] = C * (dh[i] - dh[i - 1]);
        du[0] += (DEPTH + 0.5 * (ht[0] + ht[N - 1])) * df[0];
        for (int i = 1; i < N; i++)
            du[i] += (DEPTH + 0.5 * (ht[i] + ht[i - 1])) * df[i];
        for (int i = 0; i < N - 1; i++)
            dh[i] += 0.5 * (ut[i] * df[i] + ut[i + 1] * df[i + 1]) - C * GRAVITY * (du[i] - du[i + 1]);
        dh[N - 1] += 0.5 * (ut[N - 1] * df[N - 1] + ut[0] * df[0]) - C * GRAVITY * (du[N - 1] - du[0]);
    }
    for (int i = 0; i < N; i++)
        dx[i] += dh[i];
    memset(dwork, 0, 3 * N * sizeof *dwork);
}

BENCH_PROGRAM(shallow_water, N, 3 * N)
