// std::map: made of a list of pairs, with elements that are put in and erased.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <cmath>
#include <map>
namespace {
using Polynomial = std::map<int, double>;
double f(const double *x, int n) {
    Polynomial p{{0, x[0]}, {3, x[1]}};
    p.emplace(1, x[2]);
    p.insert({2, 1.0});
    p.erase(3);
    double s = x[n - 1];
    for (const auto &[k, v] : p)
        s += v * v * k + s * v;
    return s;
}
}
REQUESTS(f)
