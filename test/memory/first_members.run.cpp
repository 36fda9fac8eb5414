// Integers that begin a struct with floats behind them, read through references and bindings, are counted with: they are nobody's bits.
// DEFINE: %{level} =
// DEFINE: %{check} = %clangxx -std=c++17 %{level} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
#include <cmath>
#include <cstdio>
#include <map>

#include "backsweep.h"

static double binned(const double *x, int n)
{
    std::map<int, double> bins;
    for (int i = 0; i < n; i++)
        bins[i % 3 + 1] += x[i] * x[i];
    double sum = 0;
    for (auto &[number, total] : bins)
        sum += number * std::sqrt(total);
    return sum;
}

int main()
{
    double x[5] = {0.9, 1.2, -0.4, 2.0, 0.7}, found[5] = {0};
    __backsweep_gradient(reinterpret_cast<void *>(binned), bs_dup, x, found, 5);
    for (int i = 0; i < 5; i++) {
        double step = 1e-6, up[5], down[5];
        for (int j = 0; j < 5; j++)
            up[j] = down[j] = x[j];
        up[i] += step;
        down[i] -= step;
        double expected = (binned(up, 5) - binned(down, 5)) / (2 * step);
        if (std::fabs(found[i] - expected) > 1e-8 * (1 + std::fabs(expected))) {
            std::printf("%d: %.12g, expected %.12g\n", i, found[i], expected);
            return 1;
        }
    }
    return 0;
}
