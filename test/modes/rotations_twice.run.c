/* Singular values by one-sided Jacobi rotations, differentiated twice. What the vectoriser leaves of it has numbers that come round the loop by
 * themselves and in vectors as well, of which LLVM's register coalescer makes wrong code. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O1 %pass %include %s -o %t.O1 %runtime -lm && %t.O1
// RUN: %clang -O2 -g %pass %include %s -o %t.O2 %runtime -lm && %t.O2
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime -lm && %t.O3
// RUN: %clang -O3 -march=x86-64-v3 %pass %include %s -o %t.v3 %runtime -lm && %t.v3
// RUN: %clang -O2 %pass %include -fuse-ld=lld -flto %s -o %t.lto %runtime -lm && %t.lto
#include "backsweep.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { N = 6, ROWS = 4, COLUMNS = 3 };

static double f(const double *x, int n)
{
    double a[ROWS][COLUMNS], sum = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++)
            a[i][j] = sin(1 + i * 1.7 + j * 2.3) + x[(i + 2 * j) % n] * (i == j ? 2 : 0.3);
    for (int sweep = 0; sweep < 30; sweep++) {
        double off = 0;
        for (int p = 0; p < COLUMNS - 1; p++)
            for (int q = p + 1; q < COLUMNS; q++) {
                double pp = 0, qq = 0, pq = 0;
                for (int i = 0; i < ROWS; i++) {
                    pp += a[i][p] * a[i][p];
                    qq += a[i][q] * a[i][q];
                    pq += a[i][p] * a[i][q];
                }
                off += fabs(pq) / sqrt(pp * qq);
                if (fabs(pq) < 0.01)
                    continue;
                double z = (qq - pp) / (2 * pq), t = copysign(1.0, z) / (fabs(z) + sqrt(1 + z * z)), c = 1 / sqrt(1 + t * t), s = c * t;
                for (int i = 0; i < ROWS; i++) {
                    double u = a[i][p];
                    a[i][p] = c * u - s * a[i][q];
                    a[i][q] = s * u + c * a[i][q];
                }
            }
        if (off < 1e-13)
            break;
    }
    for (int j = 0; j < COLUMNS; j++) {
        double square = 0;
        for (int i = 0; i < ROWS; i++)
            square += a[i][j] * a[i][j];
        sum += log(1 + sqrt(square));
    }
    return sum;
}

static void gradient(const double *x, double *dx, int n) { __backsweep_gradient((void *)f, bs_dup, x, dx, bs_const, n); }

static int wrong;

static void expect(const char *what, int i, double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-6 * (1 + fabs(expected)))) {
        printf("%s[%d]: %.12g, differences say %.12g\n", what, i, found, expected);
        wrong = 1;
    }
}

int main(void)
{
    double x[N] = {0.7, 1.3, 0.45, 2.1, 0.9, 1.7}, v[N], d[N] = {0}, again[N] = {0}, second[N] = {0}, steps[2][N] = {{0}}, h = 1e-6;
    for (int i = 0; i < N; i++)
        v[i] = cos(1.0 + i);
    __backsweep_gradient((void *)f, bs_dup, x, d, bs_const, N);
    double along = __backsweep_tangent((void *)f, bs_dup, x, v, bs_const, N), product = 0;
    for (int i = 0; i < N; i++) {
        product += d[i] * v[i];
        double up[N], down[N];
        memcpy(up, x, sizeof up);
        memcpy(down, x, sizeof down);
        up[i] += h;
        down[i] -= h;
        expect("gradient", i, d[i], (f(up, N) - f(down, N)) / (2 * h));
    }
    expect("tangent", 0, along, product);
    __backsweep_tangent_void((void *)gradient, bs_dup, x, v, bs_dup, again, second, bs_const, N);
    for (int side = 0; side < 2; side++) {
        double at[N];
        for (int i = 0; i < N; i++)
            at[i] = x[i] + (side ? -h : h) * v[i];
        gradient(at, steps[side], N);
    }
    for (int i = 0; i < N; i++)
        expect("second", i, second[i], (steps[0][i] - steps[1][i]) / (2 * h));
    return wrong;
}
