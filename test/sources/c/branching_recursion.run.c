// Functions that call themselves and each other from several places: what is asked of each call must not be asked of each way to it.
// RUN: %levels %s conditioned 0.7 1.4 -0.6 1.2
#include <math.h>
#include "source.h"

static double odd(const double *x, int n, int depth);

static double even(const double *x, int n, int depth)
{
    if (depth < 1)
        return x[(n + depth) % n] * 0.5;
    double a = even(x, n, depth - 2) * odd(x, n, depth - 1);
    double b = odd(x, n, depth - 3) + 0.1 * even(x, n, depth - 4) * even(x, n, depth - 3);
    return sin(a) + 0.3 * b;
}

static double odd(const double *x, int n, int depth)
{
    if (depth < 1)
        return x[(n + depth) % n] + 0.25;
    return even(x, n, depth - 1) * odd(x, n, depth - 2) - 0.2 * odd(x, n, depth - 3) * odd(x, n, depth - 4) * x[0];
}

static double f(const double *x, int n)
{
    return even(x, n, 7) + odd(x, n, 6);
}
REQUESTS(f)
