// Doubles and integers in one `std::variant`, in a vector that grows.
// DEFINE: %{level} =
// DEFINE: %{check} = %clangxx -std=c++17 %{level} %include %pass %s -o %t %runtime -lm && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
#include <cmath>
#include <cstdio>
#include <variant>
#include <vector>

#include "backsweep.h"

using Value = std::variant<double, int>;

static double f(const double *x, int n) {
    std::vector<Value> values;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 1)
            values.emplace_back(i + 2);
        else if (i % 3 == 0)
            values.emplace_back(x[i] * x[0]);
        else
            values.emplace_back(int(x[i] > 0));
    }
    double sum = 0;
    for (const Value &value : values)
        sum += std::visit([](auto held) { return 1.5 * held * held + held; }, value);
    values[1] = std::get<double>(values[0]) * x[1];
    values[0] = 4;
    return sum * std::get<double>(values[1]) + std::get<int>(values[0]) * x[2];
}

int main() {
    const int n = 6;
    double x[n] = {1.1, 0.7, 0.4, 1.2, 0.6, 0.3}, dx[n] = {};
    __backsweep_gradient_void((void *)f, x, dx, n);
    for (int i = 0; i < n; i++) {
        const double step = 1e-6, at = x[i];
        x[i] = at + step;
        double above = f(x, n);
        x[i] = at - step;
        double below = f(x, n);
        x[i] = at;
        double difference = (above - below) / (2 * step);
        if (!(std::fabs(difference - dx[i]) <= 1e-7 * (1 + std::fabs(difference)))) {
            std::printf("%d: %.12g, by differences %.12g\n", i, dx[i], difference);
            return 1;
        }
    }
    return 0;
}
