/* The wave equation in three dimensions, leapfrog, whose speed in every cell is sought. */
#include "../program.h"

#define SIDE 24
#define PLANE (SIDE * SIDE)
#define N (SIDE * PLANE)
#define STEPS 16

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = 0.1 + 0.02 * bench_number(i);
}

/* The next state from this one and the one before, which it overwrites. The rim stays zero. */
static void step(const double *restrict speed, const double *restrict now, double *restrict other)
{
    for (int i = 1; i < SIDE - 1; i++)
        for (int j = 1; j < SIDE - 1; j++)
            for (int k = 1; k < SIDE - 1; k++) {
                int c = i * PLANE + j * SIDE + k;
                double laplace = now[c - 1] + now[c + 1] + now[c - SIDE] + now[c + SIDE] + now[c - PLANE] + now[c + PLANE] -
                                 6 * now[c];
                other[c] = 2 * now[c] - other[c] + speed[c] * laplace;
            }
}

static void start(double *restrict before, double *restrict now)
{
    for (int c = 0; c < N; c++) {
        before[c] = 0;
        now[c] = 0;
    }
    now[SIDE / 2 * (PLANE + SIDE + 1)] = 1;
}

static double primal(const double *restrict x, double *restrict work)
{
    double *before = work, *now = work + N, sum = 0;
    start(before, now);
    for (int t = 0; t < STEPS; t++) {
        step(x, now, before);
        double *swap = before;
        before = now;
        now = swap;
    }
    for (int c = 0; c < N; c++)
        sum += now[c] * now[c];
    return sum;
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    static double states[STEPS + 2][N];
    double *dnow = dwork, *dbefore = dwork + N;
    (void)work;
    start(states[0], states[1]);
    for (int t = 0; t < STEPS; t++) {
        memcpy(states[t + 2], states[t], sizeof states[0]);
        step(x, states[t + 1], states[t + 2]);
    }
    for (int c = 0; c < N; c++)
        dnow[c] = 2 * states[STEPS + 1][c];
    /* dnow belongs to the state that a step has made, dbefore to the one it was made from. */
    for (int t = STEPS - 1; t >= 0; t--) {
        const double *now = states[t + 1];
        for (int i = 1; i < SIDE - 1; i++)
            for (int j = 1; j < SIDE - 1; j++)
                for (int k = 1; k < SIDE - 1; k++) {
                    int c = i * PLANE + j * SIDE + k;
                    double d = dnow[c], through = x[c] * d;
                    dx[c] += d * (now[c - 1] + now[c + 1] + now[c - SIDE] + now[c + SIDE] + now[c - PLANE] +
                                  now[c + PLANE] - 6 * now[c]);
                    dbefore[c - 1] += through;
                    dbefore[c + 1] += through;
                    dbefore[c - SIDE] += through;
                    dbefore[c + SIDE] += through;
                    dbefore[c - PLANE] += through;
                    dbefore[c + PLANE] += through;
                    dbefore[c] += 2 * d - 6 * through;
                    dnow[c] = -d;
                }
        double *swap = dnow;
        dnow = dbefore;
        dbefore = swap;
    }
    memset(dwork, 0, 2 * N * sizeof *dwork);
}

BENCH_PROGRAM(wave_3d, N, 2 * N)
