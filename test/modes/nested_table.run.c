// Hessian times a vector by differentiating a gradient once more: a table of fixed extents, of which optimisers write out the inner loops. What
// they add to has many places then, which nobody tests pair by pair: that took minutes.
// RUN: %clang -O0 -g %include %pass %s -o %t %runtime && %t
// RUN: %clang -O2 -g %include %pass %s -o %t %runtime && %t
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

enum { N = 6 };

static double table[3][8][6];

static double f(const double *x, int n)
{
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 8; i++)
            for (int j = 0; j < 6; j++)
                table[k][i][j] = sin(x[j % n] * (k + 1));
    double sum = 0;
    for (double *p = &table[0][0][0], *end = p + 3 * 8 * 6; p < end; p++)
        sum += *p * *p;
    return sum;
}

static void gradient(const double *x, double *dx, int n) { __backsweep_gradient_void((void *)f, x, dx, n); }

int main(void)
{
    double x[N] = {0.9, 0.7, 1.2, 0.6, 1.1, 0.4}, v[N] = {0.3, -0.2, 0.5, 0.1, -0.4, 0.6};
    double g[N] = {0}, product[N] = {0}, above[N] = {0}, below[N] = {0}, h = 1e-5;
    __backsweep_tangent_void((void *)gradient, x, v, g, product, N);
    for (int i = 0; i < N; i++)
        x[i] += h * v[i];
    gradient(x, above, N);
    for (int i = 0; i < N; i++)
        x[i] -= 2 * h * v[i];
    gradient(x, below, N);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        double expected = (above[i] - below[i]) / (2 * h);
        if (!(fabs(product[i] - expected) <= 1e-6 * (1 + fabs(expected)))) {
            printf("%d: %.12g, expected %.12g\n", i, product[i], expected);
            wrong = 1;
        }
    }
    return wrong;
}
