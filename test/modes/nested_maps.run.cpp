// Hessian times a vector by differentiating a gradient once more: numbers in a `std::map`, whose nodes are linked by the side they are on.
// RUN: %clangxx -O0 -g -std=c++20 %include %pass %s -o %t %runtime && %t
// RUN: %clangxx -O2 -g -std=c++20 %include %pass %s -o %t %runtime && %t
#include <cmath>
#include <cstdio>
#include <map>

#include "backsweep.h"

enum { N = 6 };

static double f(const double *x, int n)
{
    std::map<int, double> sums;
    for (int i = 0; i < n; i++)
        sums[(3 * i) % 4] += x[i] * x[i] * (i + 1);
    double result = 0;
    for (auto &[at, sum] : sums)
        result += sum * std::sin(sum) * (at + 1);
    return result;
}

static void gradient(const double *x, double *dx, int n) { __backsweep_gradient_void((void *)f, x, dx, n); }

int main()
{
    double x[N] = {0.9, 0.7, 1.2, 0.6, 1.1, 0.4}, v[N] = {0.3, -0.2, 0.5, 0.1, -0.4, 0.6};
    double g[N] = {0}, product[N] = {0}, above[N] = {0}, below[N] = {0}, h = 1e-5;
    __backsweep_tangent_void((void *)gradient, x, v, g, product, N);
    for (double &xi : x)
        xi += h * v[&xi - x];
    gradient(x, above, N);
    for (double &xi : x)
        xi -= 2 * h * v[&xi - x];
    gradient(x, below, N);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        double expected = (above[i] - below[i]) / (2 * h);
        if (!(std::fabs(product[i] - expected) <= 1e-6 * (1 + std::fabs(expected)))) {
            std::printf("%d: %.12g, expected %.12g\n", i, product[i], expected);
            wrong = 1;
        }
    }
    return wrong;
}
