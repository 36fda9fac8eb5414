/* Lorenz's equations by the classical Runge–Kutta method, by the three parameters and the start. */
#include "../program.h"

#define STEPS 2000
#define H 0.001

static void set_up(double *x)
{
    const double start[6] = {10, 28, 8.0 / 3, 1, 1, 1.05};
    memcpy(x, start, sizeof start);
}

static void flow(const double *p, const double *s, double *k)
{
    k[0] = p[0] * (s[1] - s[0]);
    k[1] = s[0] * (p[1] - s[2]) - s[1];
    k[2] = s[0] * s[1] - p[2] * s[2];
}

/* The four slopes from at[0], and the points that they are taken at. */
static void slopes(const double *p, double at[4][3], double k[4][3])
{
    static const double part[4] = {0, H / 2, H / 2, H};
    for (int stage = 0; stage < 4; stage++) {
        if (stage > 0)
            for (int i = 0; i < 3; i++)
                at[stage][i] = at[0][i] + part[stage] * k[stage - 1][i];
        flow(p, at[stage], k[stage]);
    }
}

static double primal(const double *restrict x, double *restrict work)
{
    double s[3] = {x[3], x[4], x[5]}, sum = 0;
    (void)work;
    for (int t = 0; t < STEPS; t++) {
        double k1[3], k2[3], k3[3], k4[3], at[3];
        flow(x, s, k1);
        for (int i = 0; i < 3; i++)
            at[i] = s[i] + H / 2 * k1[i];
        flow(x, at, k2);
        for (int i = 0; i < 3; i++)
            at[i] = s[i] + H / 2 * k2[i];
        flow(x, at, k3);
        for (int i = 0; i < 3; i++)
            at[i] = s[i] + H * k3[i];
        flow(x, at, k4);
        for (int i = 0; i < 3; i++)
            s[i] += H / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
        sum += H * s[2];
    }
    return sum;
}

/* ds += (dflow/ds)^T dk, dp += (dflow/dp)^T dk. */
static void flow_back(const double *p, const double *s, const double *dk, double *ds, double *dp)
{
    dp[0] += (s[1] - s[0]) * dk[0];
    dp[1] += s[0] * dk[1];
    dp[2] -= s[2] * dk[2];
    ds[0] += -p[0] * dk[0] + (p[1] - s[2]) * dk[1] + s[1] * dk[2];
    ds[1] += p[0] * dk[0] - dk[1] + s[0] * dk[2];
    ds[2] += -s[0] * dk[1] - p[2] * dk[2];
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    static const double part[4] = {0, H / 2, H / 2, H}, weight[4] = {H / 6, H / 3, H / 3, H / 6};
    static double states[STEPS + 1][3];
    double at[4][3], k[4][3], ds[3] = {0, 0, 0}, dp[3] = {0, 0, 0};
    (void)work, (void)dwork;
    memcpy(states[0], x + 3, sizeof states[0]);
    for (int t = 0; t < STEPS; t++) {
        memcpy(at[0], states[t], sizeof at[0]);
        slopes(x, at, k);
        for (int i = 0; i < 3; i++)
            states[t + 1][i] = states[t][i] + H / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
    }
    for (int t = STEPS - 1; t >= 0; t--) {
        double dk[4][3];
        ds[2] += H;
        memcpy(at[0], states[t], sizeof at[0]);
        slopes(x, at, k);
        for (int stage = 0; stage < 4; stage++)
            for (int i = 0; i < 3; i++)
                dk[stage][i] = weight[stage] * ds[i];
        for (int stage = 3; stage >= 0; stage--) {
            double dat[3] = {0, 0, 0};
            flow_back(x, at[stage], dk[stage], dat, dp);
            for (int i = 0; i < 3; i++) {
                ds[i] += dat[i];
                if (stage > 0)
                    dk[stage - 1][i] += part[stage] * dat[i];
            }
        }
    }
    for (int i = 0; i < 3; i++) {
        dx[i] += dp[i];
        dx[3 + i] += ds[i];
    }
}

BENCH_PROGRAM(lorenz, 6, 1)
