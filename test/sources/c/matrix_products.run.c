/* Products of matrices in the three orders of loops, in blocks, and a power of a matrix in place. */
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#include "source.h"
#include <string.h>

enum { N = 6 };

static void multiply_ijk(double (*c)[N], double (*a)[N], double (*b)[N])
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

static void multiply_blocked(double (*c)[N], double (*a)[N], double (*b)[N], int block)
{
    memset(c, 0, N * sizeof *c);
    for (int i0 = 0; i0 < N; i0 += block)
        for (int k0 = 0; k0 < N; k0 += block)
            for (int i = i0; i < i0 + block && i < N; i++)
                for (int k = k0; k < k0 + block && k < N; k++)
                    for (int j = 0; j < N; j++)
                        c[i][j] += a[i][k] * b[k][j];
}

static double f(const double *x, int n)
{
    double a[N][N], b[N][N], c[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            a[i][j] = x[(i + j) % n] / (i + 2);
            b[i][j] = x[(i * j) % n] * x[i % n];
        }
    multiply_ijk(c, a, b);
    for (int round = 0; round < 2; round++) {
        multiply_blocked(a, c, b, 4);
        memcpy(c, a, sizeof c);
    }
    double trace = 0;
    for (int i = 0; i < N; i++)
        trace += c[i][i] + a[i][N - 1 - i] * b[i][0];
    return trace;
}

REQUESTS(f)
