/* Loops left from the middle, a switch that falls through, goto into and out of loops, early returns. */
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#include "source.h"
#include <math.h>

static double machine(const double *x, int n)
{
    double value = x[0];
    int state = 0, steps = 0;
again:
    switch (state) {
    case 0:
        value += 0.5 * x[1];
        state = value > 1 ? 2 : 1;
        /* fall through */
    case 1:
        value *= 1 + 0.1 * x[2];
        break;
    case 2:
        value = sin(value) + x[n - 1];
        state = 3;
        break;
    default:
        return value * value;
    }
    if (++steps < 9)
        goto again;
    return value;
}

static double search(const double *x, int n, double target)
{
    double sum = 0;
    for (int i = 0; i < 3 * n; i++) {
        if (i % 5 == 4)
            continue;
        for (int j = 0;; j++) {
            sum += x[(i + j) % n] * x[j % n];
            if (sum > target)
                goto found;
            if (j == i)
                break;
        }
    }
    return sum * sum;
found:
    return exp(-sum / target);
}

static double f(const double *x, int n)
{
    return machine(x, n) + search(x, n, 3) + search(x, n, 1e9);
}

REQUESTS(f)
