// Lists of structs that hold integers, pointers and numbers, with insertion and removal: what moves over itself is
// moved from the right end.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1 0.6
#include "source.h"
#include <vector>

namespace {

struct Record {
    int id;
    double weight;
    const char *name;
    double price;
};

double total(const std::vector<Record> &list) {
    double sum = 0;
    int place = 1;
    for (const Record &r : list) sum += place++ * r.weight * r.price * (r.id + 1) + 0.01 * r.name[0];
    return sum;
}

double f(const double *x, int n) {
    std::vector<Record> list;
    for (int i = 0; i < n; i++) list.push_back({i, x[i], i % 2 ? "odd" : "even", 1 + x[i] * x[0]});
    double sum = total(list);
    Record first = {n, x[1] * x[1], "first", x[2]};
    list.insert(list.begin(), first);
    list.insert(list.begin() + 2, 2, Record{7, x[3], "middle", x[4]});
    sum += total(list);
    list.erase(list.begin() + 1);
    list.erase(list.begin() + 2, list.begin() + 4);
    return sum + total(list);
}

} // namespace

REQUESTS(f)
