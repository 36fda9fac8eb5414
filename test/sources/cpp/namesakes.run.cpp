// Two kinds of pairs, whose types have one name, and a number for the second: its padding is known all the same.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1 0.35 -1.7
#include "source.h"
#include <algorithm>
#include <utility>
#include <vector>

// Seen from elsewhere, so that its kind comes first.
double weighted(const std::pair<int, double> &numbered)
{
    const auto &[number, value] = numbered;
    return number * value;
}

namespace {

double f(const double *x, int n)
{
    std::vector<std::pair<double, int>> ranks;
    for (int i = 0; i < 40; i++)
        ranks.emplace_back(13 * i % 40 + 0.05 * x[i % n] * x[0], i);
    std::sort(ranks.begin(), ranks.end());
    double sum = 0;
    for (const auto &[key, place] : ranks)
        sum += weighted({place % 7, key * key});
    return sum;
}

} // namespace

REQUESTS(f)
