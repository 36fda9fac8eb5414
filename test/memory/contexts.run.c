/* Callbacks with contexts of different types, each found by the same `void *`: a struct that begins with a count, and plain numbers. Who
 * calls tries one callback after the other, so that both seem to read the same memory. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O1
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backsweep.h"

#define N 4

typedef double (*law)(double, void *);

struct polynomial {
    int degree;
    double shift;
    double coefficients[];
};

static double polynomial(double t, void *context)
{
    const struct polynomial *p = context;
    double y = 0;
    for (int k = p->degree; k >= 0; k--)
        y = y * (t - p->shift) + p->coefficients[k] / (p->degree + k);
    return y;
}

static double decay(double t, void *context)
{
    const double *rate = context;
    return rate[0] * exp(-rate[1] * t);
}

static double ramp(double t, void *context)
{
    const double *slope = context;
    return *slope * t;
}

struct product {
    law one, other;
    void *context, *other_context;
};

static double product(double t, void *context)
{
    struct product *p = context;
    return p->one(t, p->context) * p->other(t, p->other_context);
}

static double integrate(law f, void *context, double a, double b, int depth)
{
    double m = 0.5 * (a + b);
    if (depth == 0)
        return (b - a) / 6 * (f(a, context) + 4 * f(m, context) + f(b, context));
    return integrate(f, context, a, m, depth - 1) + integrate(f, context, m, b, depth - 1);
}

static double f(const double *x, int n)
{
    struct polynomial *p = malloc(sizeof *p + n * sizeof(double));
    p->degree = n - 1;
    p->shift = x[0];
    for (int i = 0; i < n; i++)
        p->coefficients[i] = x[i] * x[i];
    double rates[2] = {x[1], x[2]};
    struct product both = {polynomial, decay, p, rates};
    double sum = integrate(product, &both, 0, x[3], 2);
    both.one = ramp;
    both.context = &rates[1];
    sum += integrate(product, &both, 0, 1, 2) + integrate(polynomial, p, 0, 1, 1);
    free(p);
    return sum;
}

int main(void)
{
    double x[N] = {0.8, 1.3, 0.4, 2.1}, dx[N] = {0};
    __backsweep_gradient_void((void *)f, x, dx, N);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        const double h = 1e-3, at = x[i];
        double y[4];
        for (int k = 0; k < 4; k++) {
            x[i] = at + h * (double[]){-2, -1, 1, 2}[k];
            y[k] = f(x, N);
        }
        x[i] = at;
        double expected = (y[0] - 8 * y[1] + 8 * y[2] - y[3]) / (12 * h);
        if (!(fabs(dx[i] - expected) <= 1e-9 * (1 + fabs(expected)))) {
            printf("%d: %.12g, expected %.12g\n", i, dx[i], expected);
            wrong = 1;
        }
    }
    return wrong;
}
