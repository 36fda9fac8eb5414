/* One step of the wave equation in three dimensions, from two fields and a speed to a third, and the sum of its squares. */
#include "../program.h"

#define SIDE 34
#define CELLS (SIDE * SIDE * SIDE)
#define N (3 * CELLS)

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = (i < 2 * CELLS ? 0.0 : 0.2) + 0.1 * bench_number(i);
}

static double primal(const double *restrict x, double *restrict work)
{
    const double *now = x, *before = x + CELLS, *speed = x + 2 * CELLS;
    double sum = 0;
    for (int k = 1; k < SIDE - 1; k++)
        for (int j = 1; j < SIDE - 1; j++)
            for (int i = 1; i < SIDE - 1; i++) {
                int at = (k * SIDE + j) * SIDE + i;
                double around = now[at - 1] + now[at + 1] + now[at - SIDE] + now[at + SIDE] + now[at - SIDE * SIDE]
                                + now[at + SIDE * SIDE] - 6 * now[at];
                work[at] = 2 * now[at] - before[at] + speed[at] * speed[at] * around;
            }
    for (int k = 1; k < SIDE - 1; k++)
        for (int j = 1; j < SIDE - 1; j++)
            for (int i = 1; i < SIDE - 1; i++)
                sum += work[(k * SIDE + j) * SIDE + i] * work[(k * SIDE + j) * SIDE + i];
    return sum;
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    const double *now = x, *before = x + CELLS, *speed = x + 2 * CELLS;
    double *dnow = dx, *dbefore = dx + CELLS, *dspeed = dx + 2 * CELLS;
    (void)work, (void)dwork;
    for (int k = 1; k < SIDE - 1; k++)
        for (int j = 1; j < SIDE - 1; j++)
            for (int i = 1; i < SIDE - 1; i++) {
                int at = (k * SIDE + j) * SIDE + i;
                double around = now[at - 1] + now[at + 1] + now[at - SIDE] + now[at + SIDE] + now[at - SIDE * SIDE]
                                + now[at + SIDE * SIDE] - 6 * now[at];
                double square = speed[at] * speed[at], d = 2 * (2 * now[at] - before[at] + square * around), side = d * square;
                dnow[at] += 2 * d - 6 * side;
                dbefore[at] -= d;
                dspeed[at] += 2 * d * speed[at] * around;
                dnow[at - 1] += side;
                dnow[at + 1] += side;
                dnow[at - SIDE] += side;
                dnow[at + SIDE] += side;
                dnow[at - SIDE * SIDE] += side;
                dnow[at + SIDE * SIDE] += side;
            }
}

BENCH_PROGRAM(wave_step, N, CELLS)
