/* Second derivatives where a first one is exactly zero: what is zero may have a tangent, and the product of a zero with a partial has it, too.
 * A product with a partial that is no number is zero there as everywhere. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O1 %pass %include %s -o %t.O1 %runtime -lm && %t.O1
// RUN: %clang -O2 -g %pass %include %s -o %t.O2 %runtime -lm && %t.O2
// RUN: %clang -O3 -march=x86-64-v3 %pass %include %s -o %t.O3 %runtime -lm && %t.O3
// RUN: %clang -O2 -ffast-math -fhonor-nans %pass %include %s -o %t.fast %runtime -lm && %t.fast
// RUN: env BACKSWEEP_OPTIONS=preaccumulate=always %clang -O1 %pass %include %s -o %t.local %runtime -lm && %t.local
// RUN: env BACKSWEEP_OPTIONS=preaccumulate=off %clang -O1 %pass %include %s -o %t.plain %runtime -lm && %t.plain
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

#define N 6
#define UNITS 12
#define LONG 40

static int right = 1;

static void expect(const char *what, int k, double found, double expected)
{
    if (!(fabs(found - expected) <= 1e-11 * (1 + fabs(expected)))) {
        printf("%s %d: %.15g, not %.15g\n", what, k, found, expected);
        right = 0;
    }
}

/* Multipliers that are zero: their Hessian with the first number is the derivative of what they multiply. */
static double lagrangian(const double *x)
{
    return x[1] * exp(x[0]) + x[2] * sqrt(x[0] + 2) + x[3] * log(x[0] + 3) + x[4] / (x[0] + 4) +
           x[5] * pow(x[0] + 1, 1.5);
}

static double mixed(int k, double x)
{
    const double all[N] = {0, exp(x), 0.5 / sqrt(x + 2), 1 / (x + 3), -1 / ((x + 4) * (x + 4)), 1.5 * sqrt(x + 1)};
    return all[k];
}

static void gradient(const double *x, double *dx)
{
    __backsweep_gradient_void((void *)lagrangian, x, dx);
}

static double slope(const double *x, const double *v)
{
    return __backsweep_tangent((void *)lagrangian, x, v);
}

static void multipliers(void)
{
    for (int k = 1; k < N; k++) {
        double x[N] = {0.3}, v[N] = {0}, g[N] = {0}, hv[N] = {0}, first[N] = {1}, none[N] = {0};
        v[k] = 1;
        __backsweep_tangent_void((void *)gradient, x, v, g, hv);
        expect("forward over reverse", k, hv[0], mixed(k, 0.3));
        expect("forward over forward", k, __backsweep_tangent((void *)slope, x, v, first, none), mixed(k, 0.3));
        double dx[N] = {0};
        __backsweep_gradient_void((void *)slope, x, dx, bs_const, first);
        expect("reverse over forward", k, dx[k], mixed(k, 0.3));
    }
}

/* What a loop is zero times. */
static double powers(const double *x)
{
    double sum = 0;
    for (int i = 1; i < N; i++)
        sum += x[i] * sqrt(x[0] + i) * exp(x[0] * x[i]);
    return sum;
}

static void gradient_of_powers(const double *x, double *dx)
{
    __backsweep_gradient_void((void *)powers, x, dx);
}

/* Units that a branch chooses, and whose sums are zero. */
static double units(const double *x, const double *w)
{
    double out = 0;
    for (int j = 0; j < UNITS; j++) {
        double a = 0;
        for (int i = 0; i < LONG; i++)
            a += w[j * LONG + i] * x[i];
        if (w[j] > 0)
            out += 0.5 * a * a;
    }
    return out;
}

static void gradient_of_units(const double *x, double *dx, const double *w)
{
    __backsweep_gradient_void((void *)units, x, dx, bs_const, w);
}

static void sums_that_are_zero(void)
{
    double x[LONG] = {0}, v[LONG], g[LONG] = {0}, hv[LONG] = {0}, w[UNITS * LONG], expected[LONG] = {0};
    for (int i = 0; i < LONG; i++)
        v[i] = 1 + 0.1 * i;
    for (int i = 0; i < UNITS * LONG; i++)
        w[i] = sin(i);
    __backsweep_tangent_void((void *)gradient_of_units, x, v, g, hv, bs_const, w);
    for (int j = 0; j < UNITS; j++) {
        double a = 0;
        for (int i = 0; i < LONG; i++)
            a += w[j * LONG + i] * v[i];
        for (int i = 0; i < LONG && w[j] > 0; i++)
            expected[i] += a * w[j * LONG + i];
    }
    for (int i = 0; i < LONG; i++)
        expect("units", i, hv[i], expected[i]);
}

/* A root of zero that nothing is said about. */
static double masked(const double *x)
{
    double root = sqrt(x[0]);
    return x[1] * x[1] + (x[1] > 5 ? root : x[1]);
}

static void gradient_of_masked(const double *x, double *dx)
{
    __backsweep_gradient_void((void *)masked, x, dx);
}

int main(void)
{
    multipliers();
    for (int k = 1; k < N; k++) {
        double x[N] = {0.3}, v[N] = {0}, g[N] = {0}, hv[N] = {0};
        v[k] = 1;
        __backsweep_tangent_void((void *)gradient_of_powers, x, v, g, hv);
        expect("powers", k, hv[0], 0.5 / sqrt(0.3 + k));
    }
    sums_that_are_zero();
    double x[2] = {0, 0.7}, v[2] = {0, 1}, g[2] = {0}, hv[2] = {0};
    __backsweep_tangent_void((void *)gradient_of_masked, x, v, g, hv);
    expect("masked", 0, g[0], 0), expect("masked", 1, g[1], 2.4);
    expect("masked, second", 0, hv[0], 0), expect("masked, second", 1, hv[1], 2);
    return !right;
}
