// std::map: elements that are made where they are looked for, and erased, one after the other and while walking.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <cmath>
#include <map>
namespace {
using Polynomial = std::map<int, double>;
Polynomial multiply(const Polynomial &p, const Polynomial &q) {
    Polynomial result;
    for (const auto &[i, a] : p)
        for (const auto &[j, b] : q)
            result[i + j] += a * b;
    return result;
}
double f(const double *x, int n) {
    Polynomial p, r;
    for (int i = 0; i < n; i++)
        p[i * i] = x[i];
    r = multiply(p, p);
    for (int i = 0; i < 9; i++)
        r[i * 5 % 11] += x[i % n] * i;
    r.erase(4);
    for (auto it = r.begin(); it != r.end();)
        it = it->first % 3 == 1 ? r.erase(it) : std::next(it);
    double s = 0;
    for (const auto &[k, v] : r)
        s += std::sin(v) * k;
    return s;
}
}
REQUESTS(f)
