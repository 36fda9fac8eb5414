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

/* An infinite partial behind a zero: the square root at zero, whose result counts for nothing. */
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
    return wrong != 0;
}
