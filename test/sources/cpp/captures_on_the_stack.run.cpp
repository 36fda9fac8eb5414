// Closures of one reference that find no register any more: compilers pass them as numbers, to functions that call themselves.
// RUN: %levels %s conditioned 0.9 1.1 0.7 1.3
#include "source.h"
#include <cmath>
#include <vector>

namespace {

// Six numbers go before the closure.
template <class Visit>
double walk(const double *x, int depth, int at, int left, int right, int n, Visit visit) {
    if (depth == 0) return visit(at) * x[at % n];
    double here = visit(at + depth);
    double below = walk(x, depth - 1, at + left, left, right, n, visit) * 0.5;
    return here * x[at % n] + std::sin(below) + walk(x, depth - 1, at + right, right, left, n, visit);
}

// What is captured may be changed on the way.
template <class Visit> void collect(int from, int to, int step, int n, int depth, int most, Visit visit) {
    if (from >= to || depth > most) return;
    visit(from % n);
    collect(from + step, to, step, n, depth + 1, most, visit);
    collect(from + 2 * step, to - 1, step, n, depth + 1, most, visit);
}

double f(const double *x, int n) {
    std::vector<double> weights(n + 3);
    for (size_t i = 0; i < weights.size(); i++) weights[i] = x[i % n] * x[(i + 1) % n] + 0.1 * i;
    double sum = walk(x, 4, 0, 1, 2, n, [&](int i) { return weights[i % weights.size()]; });
    collect(0, 6, 1, n, 0, 3, [&weights](int i) { weights[i] *= 1.01; });
    for (double w : weights) sum += w * w;
    return sum;
}

} // namespace

REQUESTS(f)
