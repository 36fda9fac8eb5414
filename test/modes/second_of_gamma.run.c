/* Second and third derivatives of the gamma functions, whose first ones call a function of our runtime, in every order of modes. */
// DEFINE: %{flags} =
// DEFINE: %{check} = %clang %{flags} %include %pass %s -o %t %runtime -lm && %t
// REDEFINE: %{flags} = -O0
// RUN: %{check}
// REDEFINE: %{flags} = -O2 -g
// RUN: %{check}
// REDEFINE: %{flags} = -O3 -ffast-math -fhonor-nans
// RUN: %{check}
// REDEFINE: %{flags} = -O1 -fsanitize=address
// RUN: %{check}
#include <math.h>
#include <stdio.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define N 5

static int right = 1;

static void expect(const char *what, double x, double found, double expected, double tolerance)
{
    if (!(fabs(found - expected) <= tolerance * (1 + fabs(expected)))) {
        printf("%s at %g: %.15g, not %.15g\n", what, x, found, expected);
        right = 0;
    }
}

static double log_gamma(double x) { return lgamma(x); }
static double of_gradient(double x) { return __backsweep_gradient((void *)log_gamma, x); }
static double of_tangent(double x) { return __backsweep_tangent((void *)log_gamma, x, 1.0); }
static double second(double x) { return __backsweep_tangent((void *)of_gradient, x, 1.0); }
static double digamma(double x) { return bs_rt_digamma(x); }

static void along_one_number(double x, double first, double trigamma, double third)
{
    expect("tangent of gradient", x, __backsweep_tangent((void *)of_gradient, x, 1.0), trigamma, 1e-14);
    expect("gradient of tangent", x, __backsweep_gradient((void *)of_tangent, x), trigamma, 1e-14);
    expect("tangent of tangent", x, __backsweep_tangent((void *)of_tangent, x, 1.0), trigamma, 1e-14);
    expect("gradient of gradient", x, __backsweep_gradient((void *)of_gradient, x), trigamma, 1e-14);
    expect("called by the user", x, __backsweep_gradient((void *)digamma, x), trigamma, 1e-14);
    expect("third", x, __backsweep_tangent((void *)second, x, 1.0), third, 1e-13);
    expect("first", x, of_gradient(x), first, 1e-14);
}

static float single(float x) { return lgammaf(x); }
static float single_first(float x) { return __backsweep_gradient_float((void *)single, x); }

/* Counts by a negative binomial law, whose size and means come from the parameters: a loop, and both gamma functions. */
static double likelihood(const double *p, const int *counts, int n)
{
    double r = exp(p[0]), sum = log(tgamma(0.5 + p[1] * p[1]));
    for (int i = 0; i < n; i++) {
        double mean = exp(p[1] + p[2] * i);
        sum -= lgamma(counts[i] + r) - lgamma(r) - lgamma(counts[i] + 1.0) + r * log(r / (r + mean)) + counts[i] * log(mean / (r + mean));
    }
    return sum + tgamma(p[2] - 0.7);
}

static void gradient(const double *p, double *dp, const int *counts, int n)
{
    __backsweep_gradient_void((void *)likelihood, bs_dup, p, dp, bs_const, counts, n);
}

static double direction(const double *p, const double *v, const int *counts, int n)
{
    return __backsweep_tangent((void *)likelihood, bs_dup, p, v, bs_const, counts, n);
}

static void along_a_likelihood(void)
{
    static const int counts[N] = {0, 3, 1, 12, 7};
    const double p[3] = {0.4, 0.9, 0.3}, v[3] = {1, -0.5, 0.25};
    double g[3] = {0}, hv[3] = {0}, back[3] = {0}, again[3] = {0};
    __backsweep_tangent_void((void *)gradient, bs_dup, p, v, bs_dup, g, hv, bs_const, counts, N);
    __backsweep_gradient_void((void *)direction, bs_dup, p, back, bs_dup, v, again, bs_const, counts, N);
    double difference[3] = {0};
    static const double weights[3] = {0.75, -0.15, 1.0 / 60};
    for (int k = 1; k <= 3; k++) {
        const double step = 1e-3;
        for (int side = -1; side <= 1; side += 2) {
            double moved[3], there[3] = {0};
            for (int i = 0; i < 3; i++)
                moved[i] = p[i] + side * k * step * v[i];
            gradient(moved, there, counts, N);
            for (int i = 0; i < 3; i++)
                difference[i] += side * weights[k - 1] * there[i] / step;
        }
    }
    for (int i = 0; i < 3; i++) {
        expect("likelihood, forward over reverse", i, hv[i], difference[i], 1e-8);
        expect("likelihood, reverse over forward", i, back[i], hv[i], 1e-12);
        expect("likelihood, gradient", i, again[i], g[i], 1e-12);
    }
}

int main(void)
{
    const double gamma = 0.57721566490153286061, zeta3 = 1.2020569031595942854, square = 9.8696044010893586188;
    along_one_number(1.0, -gamma, square / 6, -2 * zeta3);
    along_one_number(0.5, -gamma - 2 * log(2), square / 2, -14 * zeta3);
    /* Where the first derivative is nearly zero, by the recurrence from 1/2: 1/x, 1/x², 2/x³. */
    along_one_number(1.5, 2 - gamma - 2 * log(2), square / 2 - 4, 16 - 14 * zeta3);
    /* Between poles. */
    along_one_number(-0.5, 2 - gamma - 2 * log(2), square / 2 + 4, 16 - 14 * zeta3);
    expect("single precision", 1, __backsweep_gradient_float((void *)single_first, 1.0f), square / 6, 1e-6);
    along_a_likelihood();
    return !right;
}
