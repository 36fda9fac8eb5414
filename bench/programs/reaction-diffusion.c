/* A substance that spreads and grows on a line, in many small explicit steps between two observations. The observer stands between two
 * cells, and how well the rates fit what he sees is the result. The adjoint by hand keeps the state of each observation, and runs the steps
 * between two of them again before it reverses them. */
#include "../program.h"

#define CELLS 2000
#define SUBSTEPS 25
#define INTERVALS 100
#define GROWTH 0.02
#define PLACE (2 * CELLS)
#define INPUTS (2 * CELLS + 1)

static void set_up(double *x)
{
    for (int i = 0; i < CELLS; i++) {
        x[i] = 0.5 + 0.3 * bench_number(i);
        x[CELLS + i] = 0.2 + 0.1 * bench_number(i + 7);
    }
    x[PLACE] = 0.37 * CELLS + 0.4;
}

static double observed(int interval) { return 0.5 + 0.002 * interval; }

static void advance(double *restrict u, double *restrict w, const double *restrict k)
{
    for (int s = 0; s < SUBSTEPS; s++) {
        for (int i = 1; i < CELLS - 1; i++)
            w[i] = u[i] + k[i] * (u[i - 1] - 2 * u[i] + u[i + 1]) + GROWTH * u[i] * (1 - u[i]);
        for (int i = 1; i < CELLS - 1; i++)
            u[i] = w[i];
    }
}

static double primal(const double *restrict x, double *restrict work)
{
    double *u = work, *w = work + CELLS, sum = 0;
    int cell = (int)x[PLACE];
    double right = x[PLACE] - cell;
    for (int i = 0; i < CELLS; i++)
        u[i] = x[i];
    for (int t = 0; t < INTERVALS; t++) {
        advance(u, w, x + CELLS);
        double seen = (1 - right) * u[cell] + right * u[cell + 1] - observed(t);
        sum += seen * seen;
    }
    return sum;
}

static double states[INTERVALS][CELLS], between[SUBSTEPS][CELLS], a[CELLS + 1], b[CELLS + 1];

static void reverse(const double *restrict u, const double *restrict k, double *restrict dk)
{
    memcpy(b, a, sizeof b);
    /* The ends stay as they are, and what they are is seen by their neighbours. */
    b[0] = b[CELLS - 1] = 0;
    a[0] += k[1] * b[1];
    a[CELLS - 1] += k[CELLS - 2] * b[CELLS - 2];
    for (int i = 1; i < CELLS - 1; i++) {
        a[i] = b[i] * (1 - 2 * k[i] + GROWTH * (1 - 2 * u[i])) + k[i - 1] * b[i - 1] + k[i + 1] * b[i + 1];
        dk[i] += b[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
    }
}

static void by_hand(const double *restrict x, double *restrict dx, double *restrict work, double *restrict dwork)
{
    double *u = work, *w = work + CELLS;
    const double *k = x + CELLS;
    int cell = (int)x[PLACE];
    double right = x[PLACE] - cell;
    double seen[INTERVALS], slope[INTERVALS];
    (void)dwork;
    memcpy(u, x, CELLS * sizeof *u);
    for (int t = 0; t < INTERVALS; t++) {
        memcpy(states[t], u, CELLS * sizeof *u);
        advance(u, w, k);
        seen[t] = (1 - right) * u[cell] + right * u[cell + 1] - observed(t);
        slope[t] = u[cell + 1] - u[cell];
    }
    memset(a, 0, sizeof a);
    for (int t = INTERVALS - 1; t >= 0; t--) {
        memcpy(u, states[t], CELLS * sizeof *u);
        for (int s = 0; s < SUBSTEPS; s++) {
            memcpy(between[s], u, CELLS * sizeof *u);
            for (int i = 1; i < CELLS - 1; i++)
                u[i] = between[s][i] + k[i] * (between[s][i - 1] - 2 * between[s][i] + between[s][i + 1]) +
                       GROWTH * between[s][i] * (1 - between[s][i]);
        }
        a[cell] += 2 * seen[t] * (1 - right);
        a[cell + 1] += 2 * seen[t] * right;
        dx[PLACE] += 2 * seen[t] * slope[t];
        for (int s = SUBSTEPS - 1; s >= 0; s--)
            reverse(between[s], k, dx + CELLS);
    }
    for (int i = 0; i < CELLS; i++)
        dx[i] += a[i];
}

BENCH_PROGRAM(reaction_diffusion, INPUTS, 2 * CELLS)
