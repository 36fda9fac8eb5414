// std::valarray: arithmetic on whole arrays, slices, and functions of elements.
// RUN: %levels %s double 0.8 1.3 0.4 2.1
#include "source.h"
#include <valarray>

static double f(const double *x, int n)
{
    std::valarray<double> a(x, n), b = a * a + 2.0 * a;
    b[std::slice(0, 2, 2)] *= a[std::slice(1, 2, 2)];
    a = std::sin(b) + std::sqrt(a);
    return a.sum() + (a * b).sum() + b.max() + a.shift(1)[0] + b.cshift(1).sum();
}

REQUESTS(f)
