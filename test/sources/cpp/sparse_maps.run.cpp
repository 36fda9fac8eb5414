// std::map: made of lists of pairs, elements that are put in and erased, one after the other and while walking.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <cmath>
#include <map>
#include <string>
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
    Polynomial p{{0, x[0]}, {3, x[1]}}, q;
    q.emplace(1, x[2]);
    q.insert({2, 1.0});
    Polynomial r = multiply(multiply(p, q), p);
    for (int i = 0; i < 9; i++)
        r[i * 5 % 11] += x[i % n] * i;
    r.erase(4);
    for (auto it = r.begin(); it != r.end();)
        it = it->first % 3 == 1 ? r.erase(it) : std::next(it);
    std::map<std::string, double> named{{"alpha", x[0]}, {"a name too long for the string itself", x[3]}};
    named.erase("alpha");
    double s = named.begin()->second * named.count("alpha") + named.at("a name too long for the string itself");
    for (const auto &[k, v] : r)
        s += std::sin(v) * k;
    return s;
}
}
REQUESTS(f)
