// std::sort, stable_sort, nth_element and lower_bound.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1 0.3 -1.7
#include "source.h"
#include <algorithm>
#include <array>
#include <vector>

static double f(const double *x, int n)
{
    std::array<double, 6> a{};
    for (int i = 0; i < 6; i++)
        a[i] = x[i % n] * x[i % n] - x[i % n];
    std::sort(a.begin(), a.end());
    double sum = *std::lower_bound(a.begin(), a.end(), 0.5) * 3;
    for (int i = 0; i < 6; i++)
        sum += (i + 1) * a[i] * a[i];
    std::array<double, 6> b = a;
    std::sort(b.begin(), b.end(), [](double p, double q) { return p > q; });
    std::nth_element(a.begin(), a.begin() + 2, a.end());
    return sum + b[1] * a[2];
}

REQUESTS(f)
