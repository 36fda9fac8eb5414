// Doubles that go through a vector of structs as integers, and come out in a vector of doubles that is told for one of integers.
// RUN: %levels %s double 0.63 0.41 0.87 0.52
#include "source.h"
#include <cstdint>
#include <vector>
namespace {
struct Item {
    int64_t bits;
    int key;
};
struct Result {
    std::vector<double> values;
};
void fill(std::vector<Item> &items, const int64_t *x, int n) {
    for (int i = 0; i < n; i++)
        items.push_back({x[i], n - 1 - i});
}
void drain(const std::vector<Item> &items, Result &result) {
    for (auto &item : items)
        reinterpret_cast<int64_t *>(result.values.data())[item.key] = item.bits;
}
double f(const double *x, int n) {
    std::vector<Item> items;
    fill(items, reinterpret_cast<const int64_t *>(x), n);
    Result result;
    result.values.resize(n);
    drain(items, result);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += result.values[i] * result.values[i] * (i + 1);
    return sum;
}
}
REQUESTS(f)
