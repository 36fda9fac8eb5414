/* LU factors of a matrix in place, without exchanges, and half the sum of their squares. */
#include "../program.h"

#define N 64

static void set_up(double *x)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            x[i * N + j] = bench_number((size_t)(i * N + j)) + (i == j ? 2.0 * N : 0);
}

static double primal(const double *restrict x, double *restrict work)
{
    double sum = 0;
    for (int i = 0; i < N * N; i++)
        work[i] = x[i];
    for (int k = 0; k < N; k++)
        for (int i = k + 1; i < N; i++) {
            work[i * N + k] /= work[k * N + k];
            for (int j = k + 1; j < N; j++)
                work[i * N + j] -= work[i * N + k] * work[k * N + j];
        }
    for (int i = 0; i < N * N; i++)
        sum += 0.5 * work[i] * work[i];
    return sum;
}

/* The steps in reverse order. The entries used in step k are final once it is done, so the factors are all that is needed. */
static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    primal(x, work);
    memcpy(dwork, work, N * N * sizeof *dwork);
    for (int k = N - 1; k >= 0; k--)
        for (int i = N - 1; i > k; i--) {
            double dl = 0, l = work[i * N + k], pivot = work[k * N + k];
            for (int j = k + 1; j < N; j++) {
                dl += dwork[i * N + j] * work[k * N + j];
                dwork[k * N + j] -= dwork[i * N + j] * l;
            }
            dl = dwork[i * N + k] - dl;
            dwork[i * N + k] = dl / pivot;
            dwork[k * N + k] -= dl * l / pivot;
        }
    for (int i = 0; i < N * N; i++)
        dx[i] += dwork[i];
    memset(dwork, 0, N * N * sizeof *dwork);
}

BENCH_PROGRAM(lu, N * N, N * N)
