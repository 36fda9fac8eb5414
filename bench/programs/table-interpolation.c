/* Linear interpolation in a table at many places, by the table and the places. */
#include "../program.h"

#define TABLE 512
#define PLACES 20000
#define N (TABLE + PLACES)

static void set_up(double *x)
{
    for (size_t i = 0; i < TABLE; i++)
        x[i] = sin(0.05 * (double)i);
    /* Away from the knots, where there is no derivative to check. */
    for (size_t i = 0; i < PLACES; i++)
        x[TABLE + i] = floor((TABLE - 2) * (0.5 + 0.49 * bench_number(i))) + 0.5 + 0.4 * bench_number(i + 7);
}

static double primal(const double *restrict x, double *restrict work)
{
    double sum = 0;
    (void)work;
    for (int p = 0; p < PLACES; p++) {
        double place = x[TABLE + p];
        int i = (int)place;
        double t = place - i, value = (1 - t) * x[i] + t * x[i + 1];
        sum += 0.5 * value * value;
    }
    return sum;
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    (void)work, (void)dwork;
    for (int p = 0; p < PLACES; p++) {
        double place = x[TABLE + p];
        int i = (int)place;
        double t = place - i, value = (1 - t) * x[i] + t * x[i + 1];
        dx[i] += value * (1 - t);
        dx[i + 1] += value * t;
        dx[TABLE + p] += value * (x[i + 1] - x[i]);
    }
}

BENCH_PROGRAM(table_interpolation, N, 1)
