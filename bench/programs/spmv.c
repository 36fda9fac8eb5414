/* A sparse matrix in rows times a vector, by the entries and the vector. */
#include "../program.h"

#define ROWS 4096
#define EACH 9
#define ENTRIES (ROWS * EACH)
#define N (ENTRIES + ROWS)

static int starts[ROWS + 1], columns[ENTRIES];

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = bench_number(i);
    for (size_t r = 0; r < ROWS; r++) {
        starts[r] = (int)(r * EACH);
        for (size_t k = 0; k < EACH; k++)
            columns[r * EACH + k] = (int)((r + k * k * 31) % ROWS);
    }
    starts[ROWS] = ENTRIES;
}

static double primal(const double *restrict x, double *restrict work)
{
    const double *entries = x, *v = x + ENTRIES;
    double sum = 0;
    for (int r = 0; r < ROWS; r++) {
        double y = 0;
        for (int k = starts[r]; k < starts[r + 1]; k++)
            y += entries[k] * v[columns[k]];
        work[r] = y;
    }
    for (int r = 0; r < ROWS; r++)
        sum += 0.5 * work[r] * work[r];
    return sum;
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    const double *entries = x, *v = x + ENTRIES;
    (void)dwork;
    primal(x, work);
    for (int r = 0; r < ROWS; r++)
        for (int k = starts[r]; k < starts[r + 1]; k++) {
            dx[k] += work[r] * v[columns[k]];
            dx[ENTRIES + columns[k]] += work[r] * entries[k];
        }
}

BENCH_PROGRAM(spmv, N, ROWS)
