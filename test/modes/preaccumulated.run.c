/* Straight-line code in a loop whose derivative goes through its local Jacobian, where that is cheaper and wherever it can be:
 * against difference quotients, and with as many directions as the hook allows. */
// DEFINE: %{flags} =
// DEFINE: %{option} =
// DEFINE: %{check} = env BACKSWEEP_OPTIONS=%{option} %clang %{flags} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{flags} = -O0
// REDEFINE: %{option} = preaccumulate=on
// RUN: %{check}
// REDEFINE: %{option} = preaccumulate=always
// RUN: %{check}
// REDEFINE: %{flags} = -O3
// RUN: %{check}
// REDEFINE: %{option} = preaccumulate=on
// RUN: %{check}

#include "backsweep.h"
#include <math.h>
#include <stdio.h>

#define N 200

/* Two inputs from memory, and a number that is handed on: of all that is computed between, three factors are needed. */
static double chain(const double *a, const double *b, int n)
{
    double s = 0.3, y = 0;
    for (int i = 0; i < n; i++) {
        double u = sin(s) * a[i], v = cos(s) * b[i];
        double w = exp(-u * u - v * v);
        double p = sqrt(1 + w * u * u), q = log(2 + w * v * v);
        s = 0.5 * (sin(p * q) + cos(p + q)) + 0.1;
        y += s > 0.2 ? s * p : s / q;
    }
    return y;
}

/* Square roots, quotients and branches that come and go. */
static double guarded(const double *a, const double *b, int n)
{
    double s = 1;
    for (int i = 0; i < n; i++) {
        double r = sqrt(a[i] * a[i] + b[i] * b[i]);
        double t = exp(r * 0.01) * s;
        s = 0.25 * sin(t) * cos(t * r) + (i % 7 ? 0.5 : r);
    }
    return s;
}

/* An infinite partial behind a zero: the arc sine at one, which counts for nothing where its weight is zero. */
static double still(const double *a, const double *weight, int n)
{
    double s = 1;
    for (int i = 0; i < n; i++) {
        double r = asin(a[i]), q = 1 / (1 + exp(-s * s));
        s = 0.5 * sin(q * s + weight[i] * r) * (1 + weight[i] * r * q) + 0.3;
    }
    return s;
}

/* Three numbers in three directions at once. */
static void three(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        double p = x[3 * i], q = x[3 * i + 1], r = x[3 * i + 2];
        double u = p * q + r, v = u * u - 2 * p, w = v * r + u * 3 + q, z = w * w - v + u * w;
        y[i] = z * 0.25 - w * 2 + v * u;
    }
}

static int check(const char *name, double (*f)(const double *, const double *, int), double *a, double *b,
                 const double *da, const double *db)
{
    int wrong = 0;
    for (int i = 0; i < 2 * N; i += 7) {
        double *at = i < N ? &a[i] : &b[i - N], found = i < N ? da[i] : db[i - N];
        double x = *at, h = 1e-6;
        *at = x + h;
        double up = f(a, b, N);
        *at = x - h;
        double expected = (up - f(a, b, N)) / (2 * h);
        *at = x;
        if (!(fabs(found - expected) <= 1e-6 * (1 + fabs(expected)))) {
            printf("%s, %d: found %.12g, expected %.12g\n", name, i, found, expected);
            wrong++;
        }
    }
    return wrong;
}

int main(void)
{
    double a[N], b[N], da[N] = {0}, db[N] = {0}, ga[N] = {0}, gb[N] = {0};
    for (int i = 0; i < N; i++) {
        a[i] = 1.5 + sin(i);
        b[i] = 1.5 + cos(2 * i);
    }
    __backsweep_gradient_void((void *)chain, a, da, b, db, N);
    int wrong = check("chain", chain, a, b, da, db);
    __backsweep_gradient_void((void *)guarded, a, ga, b, gb, N);
    wrong += check("guarded", guarded, a, b, ga, gb);
    double one[N], weight[N], done[N] = {0};
    for (int i = 0; i < N; i++) {
        one[i] = i % 3 ? 0.3 : 1;
        weight[i] = i % 3 ? 0.5 : 0;
    }
    __backsweep_gradient_void((void *)still, one, done, bs_const, weight, N);
    for (int i = 0; i < N; i += 3)
        if (!(done[i] == 0)) {
            printf("still, %d: found %g behind a zero\n", i, done[i]);
            wrong++;
        }
    for (int i = 0; i < N; i++)
        if (!isfinite(done[i])) {
            printf("still, %d: found %g\n", i, done[i]);
            wrong++;
        }
    double y[N / 3], up[N / 3], down[N / 3], dx[3][N] = {{0}}, dy[3][N / 3] = {{0}};
    for (int d = 0; d < 3; d++)
        for (int i = d; i < N; i += 3)
            dx[d][i] = 1;
    __backsweep_tangent_void((void *)three, bs_width, 3, a, dx[0], dx[1], dx[2], y, dy[0], dy[1], dy[2], N / 3);
    for (int d = 0; d < 3; d++) {
        for (int side = -1; side <= 1; side += 2) {
            double x[N];
            for (int i = 0; i < N; i++)
                x[i] = a[i] + side * 1e-6 * dx[d][i];
            three(x, side < 0 ? down : up, N / 3);
        }
        for (int i = 0; i < N / 3; i++) {
            double expected = (up[i] - down[i]) / 2e-6;
            if (!(fabs(dy[d][i] - expected) <= 1e-6 * (1 + fabs(expected) + fabs(up[i])))) {
                printf("three, %d in direction %d: found %.12g, expected %.12g\n", i, d, dy[d][i], expected);
                wrong++;
            }
        }
    }
    return wrong != 0;
}
