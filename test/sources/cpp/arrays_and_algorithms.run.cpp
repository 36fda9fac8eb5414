// std::array with the algorithms of <algorithm> and <numeric>.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1 0.3 -1.7
#include "source.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <numeric>

static double f(const double *x, int n)
{
    std::array<double, 6> a{}, b{};
    std::copy(x, x + n, a.begin());
    std::transform(a.begin(), a.end(), b.begin(), [](double v) { return v * v + std::cos(v); });
    double sum = std::accumulate(b.begin(), b.end(), 0.0) + std::inner_product(a.begin(), a.end(), b.begin(), 1.0);
    std::partial_sum(b.begin(), b.end(), a.begin(), std::multiplies<>());
    std::reverse(b.begin(), b.end());
    std::rotate(a.begin(), a.begin() + 2, a.end());
    std::for_each(a.begin(), a.end(), [&](double &v) { v *= b[1]; });
    auto [low, high] = std::minmax_element(b.begin(), b.end());
    std::swap(a[0], b[5]);
    std::fill_n(b.begin() + 2, 2, x[0]);
    sum += *low * 2 + *high * std::clamp(x[1], -1.0, 1.0) + std::max({x[0], x[1], x[2]});
    return sum + a[0] * a[3] + b[2] * b[5] + std::reduce(a.begin(), a.end());
}

REQUESTS(f)
