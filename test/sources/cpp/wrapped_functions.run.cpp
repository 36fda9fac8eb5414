// Functions that keep what they captured in themselves, or behind a pointer where it is too much, wrapped round and round: a copy of
// one moves two numbers, or a pointer, as the same bytes.
// RUN: %clang -O1 -c %S/../Inputs/check.c -o %t.check.o
// RUN: %clangxx -std=c++20 -O0 -g %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O1 %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O2 %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O3 %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O2 -ffast-math %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O2 -g -fsanitize=address %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <cmath>
#include <functional>

namespace {
using Law = std::function<double(double)>;

double iterate(const Law &step, double start, int count) {
    while (count-- > 0)
        start = step(start);
    return start;
}

double f(const double *x, int n) {
    double decay = 0.3 + 0.1 * x[0];
    Law step = [decay, shift = x[1 % n]](double z) { return std::cos(decay * z) + shift; };
    double total = iterate(step, x[2 % n], 7);
    Law chain = step;
    for (int i = 0; i < 3; i++)
        chain = [chain, i](double z) { return chain(z) / (2.0 + i); };
    Law other = chain;
    std::swap(other, step);
    return total * chain(x[0]) + step(x[3 % n]) + other(total);
}
}

REQUESTS(f)
