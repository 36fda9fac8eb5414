/* Lorenz's model of 1996 of weather on a circle of latitude, by Runge and Kutta's method: each place asks its neighbours, and the row
 * closes to a ring. */
#include "../program.h"

#define N 500
#define STEPS 100
#define STEP 0.005
#define FORCE 8

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = FORCE + bench_number(i);
}

static void slope(const double *restrict u, double *restrict k)
{
    for (int i = 0; i < N; i++)
        k[i] = (u[(i + 1) % N] - u[(i + N - 2) % N]) * u[(i + N - 1) % N] - u[i] + FORCE;
}

static void ahead(const double *restrict u, const double *restrict k, double by, double *restrict stage)
{
    for (int i = 0; i < N; i++)
        stage[i] = u[i] + by * k[i];
}

static double primal(const double *restrict x, double *restrict work)
{
    double *u = work, stage[N], k1[N], k2[N], k3[N], k4[N], sum = 0;
    for (int i = 0; i < N; i++)
        u[i] = x[i];
    for (int t = 0; t < STEPS; t++) {
        slope(u, k1);
        ahead(u, k1, STEP / 2, stage);
        slope(stage, k2);
        ahead(u, k2, STEP / 2, stage);
        slope(stage, k3);
        ahead(u, k3, STEP, stage);
        slope(stage, k4);
        for (int i = 0; i < N; i++)
            u[i] += STEP / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
    }
    for (int i = 0; i < N; i++)
        sum += 0.5 * u[i] * u[i];
    return sum;
}

/* What place i is told by the slopes of i - 1, i + 1 and i + 2, and by its own. */
static double told(const double *u, const double *dk, int before2, int before, int i, int behind, int behind2)
{
    return dk[before] * u[before2] + dk[behind] * (u[behind2] - u[before]) - dk[behind2] * u[behind] - dk[i];
}

/* The adjoint of `slope`: from what is said of k, what is said of u. */
static void slope_by_hand(const double *restrict u, const double *restrict dk, double *restrict du)
{
    static const int edges[] = {0, 1, N - 2, N - 1};
    for (int e = 0; e < 4; e++) {
        int i = edges[e];
        du[i] = told(u, dk, (i + N - 2) % N, (i + N - 1) % N, i, (i + 1) % N, (i + 2) % N);
    }
    for (int i = 2; i < N - 2; i++)
        du[i] = told(u, dk, i - 2, i - 1, i, i + 1, i + 2);
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    static double states[STEPS][4][N];
    double *u = work, *du = dwork, k[N], ahead_by[N], dk[N], dstage[N], dahead[N];
    static const double weights[] = {STEP / 6, STEP / 3, STEP / 3, STEP / 6}, ways[] = {0, STEP / 2, STEP / 2, STEP};
    memcpy(u, x, N * sizeof *u);
    for (int t = 0; t < STEPS; t++) {
        double(*stages)[N] = states[t];
        memcpy(stages[0], u, N * sizeof *u);
        for (int s = 0; s < 4; s++) {
            slope(stages[s], k);
            for (int i = 0; i < N; i++)
                ahead_by[i] = (s ? ahead_by[i] : 0) + weights[s] * k[i];
            if (s < 3)
                ahead(u, k, ways[s + 1], stages[s + 1]);
        }
        for (int i = 0; i < N; i++)
            u[i] += ahead_by[i];
    }
    memcpy(du, u, N * sizeof *du);
    for (int t = STEPS - 1; t >= 0; t--) {
        memcpy(dahead, du, N * sizeof *du);
        for (int s = 3; s >= 0; s--) {
            for (int i = 0; i < N; i++)
                dk[i] = weights[s] * du[i] + (s < 3 ? ways[s + 1] * dstage[i] : 0);
            slope_by_hand(states[t][s], dk, dstage);
            for (int i = 0; i < N; i++)
                dahead[i] += dstage[i];
        }
        memcpy(du, dahead, N * sizeof *du);
    }
    for (int i = 0; i < N; i++)
        dx[i] += du[i];
    memset(dwork, 0, N * sizeof *dwork);
}

BENCH_PROGRAM(ring, N, N)
