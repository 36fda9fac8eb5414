/* Functions chosen from a table that does not change, and one passed as an argument. */
// RUN: %levels %s double 0.8 1.3 0.4 2.1
#include "source.h"
#include <math.h>

typedef double (*function)(double);

static double cube(double x) { return x * x * x; }
static double half_sine(double x) { return 0.5 * sin(x); }

static double simpson(function g, double from, double to, int pieces)
{
    double h = (to - from) / pieces, sum = g(from) + g(to);
    for (int i = 1; i < pieces; i++)
        sum += (i % 2 ? 4 : 2) * g(from + i * h);
    return sum * h / 3;
}

static double f(const double *x, int n)
{
    return simpson(cube, x[0], x[1], 4) + simpson(half_sine, x[2], x[n - 1], 6) + simpson(exp, x[0], x[2], 4);
}

REQUESTS(f)
