// A generator of random numbers beside floats and vectors of one class: its state is an array of integers that is stepped through in loops.
// Under UBSan such a class is refused still, so the levels are told here.
// RUN: %clangxx -O0 -g -std=c++20 %include %pass %s -o %t %runtime && %t
// RUN: %clangxx -O1 -g -std=c++20 -fsanitize=address %include %pass %s -o %t %runtime && %t
// RUN: %clangxx -O2 -std=c++20 %include %pass %s -o %t %runtime && %t
// RUN: %clangxx -O3 -ffast-math -std=c++20 %include %pass %s -o %t %runtime && %t
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

#include "backsweep.h"

namespace {
class Paths {
    std::vector<double> ends;
    std::mt19937 engine{42};
    double spread, drift;
    int drawn = 0;
  public:
    Paths(double spread, double drift) : spread(spread), drift(drift) {}
    double walk(int steps) {
        std::normal_distribution<double> normal(0, 1);
        double value = 1;
        for (int i = 0; i < steps; i++, drawn++) value *= std::exp(drift * 0.1 + 0.2 * spread * normal(engine));
        ends.push_back(value);
        return value;
    }
    double mean() const {
        double sum = 0;
        for (double end : ends) sum += end;
        return sum / ends.size() + drawn * spread;
    }
};

double price(const double *x) {
    Paths paths(x[0], x[1]);
    double sum = paths.walk(6) + x[2] * paths.walk(4);
    return sum * paths.mean();
}
}

int main() {
    double x[3] = {0.9, 1.1, 0.7}, dx[3] = {0, 0, 0};
    __backsweep_gradient_void((void *)price, x, dx);
    for (int i = 0; i < 3; i++) {
        double above[3] = {x[0], x[1], x[2]}, below[3] = {x[0], x[1], x[2]};
        above[i] += 1e-5, below[i] -= 1e-5;
        double by_differences = (price(above) - price(below)) / 2e-5;
        if (!(std::fabs(dx[i] - by_differences) <= 1e-7 * (1 + std::fabs(by_differences)))) {
            std::printf("x[%d]: %.12g, by differences %.12g\n", i, dx[i], by_differences);
            return 1;
        }
    }
    return 0;
}
