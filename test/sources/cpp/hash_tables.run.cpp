// std::unordered_map with numbers and strings as keys: how it grows and what it hashes are library calls of integers.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <unordered_map>
#include <string>
#include <cmath>
namespace {
struct Edge { int from, to; double w; };
double f(const double *x, int n) {
    std::unordered_map<int, double> cache;
    for (int i = 0; i < n; i++) cache[i * 7] = x[i] * x[i];
    double s = 0;
    for (int i = 0; i < 3 * n; i++) { auto it = cache.find(i); if (it != cache.end()) s += it->second * (i + 1); }
    std::unordered_map<std::string, double> named{{"one", x[0]}, {"two", x[1]}};
    named["three"] = x[2] * named["one"];
    named.emplace("four", std::exp(-x[3]));
    for (const auto &kv : named) s += kv.second * kv.second;
    cache.erase(7);
    for (auto &kv : cache) s += std::log(1 + kv.second);
    return s + named.at("three");
}
}
REQUESTS(f)
