/* A Cholesky factorisation in place, two triangular solves, a determinant. */
// RUN: %levels %s conditioned 0.8 1.3 -0.4 2.1
#include "source.h"
#include <math.h>

enum { N = 5 };

static int factor(double *a, int n)
{
    for (int j = 0; j < n; j++) {
        double d = a[j * n + j];
        for (int k = 0; k < j; k++)
            d -= a[j * n + k] * a[j * n + k];
        if (d <= 0)
            return 0;
        a[j * n + j] = d = sqrt(d);
        for (int i = j + 1; i < n; i++) {
            double s = a[i * n + j];
            for (int k = 0; k < j; k++)
                s -= a[i * n + k] * a[j * n + k];
            a[i * n + j] = s / d;
        }
    }
    return 1;
}

static void solve(const double *l, double *b, int n)
{
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++)
            b[i] -= l[i * n + k] * b[k];
        b[i] /= l[i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            b[i] -= l[k * n + i] * b[k];
        b[i] /= l[i * n + i];
    }
}

static double f(const double *x, int n)
{
    double a[N * N], b[N], sum = 0;
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++)
            a[i * N + j] = 0.1 * x[(i + j) % n] * x[(i + j) % n] + (i == j ? 3 + x[i % n] : 0);
        b[i] = x[i % n] + i;
    }
    if (!factor(a, N))
        return -1;
    solve(a, b, N);
    for (int i = 0; i < N; i++)
        sum += b[i] * b[i] + 2 * log(a[i * N + i]);
    return sum;
}

REQUESTS(f)
