// Structs of numbers and a count in a map and in an unordered one, inserted, overwritten, changed and erased: the nodes of both hold
// pointers, counts and numbers side by side.
// Under UBSan the members' marks are lost, and it is refused.
// RUN: %clang -O1 -c %S/../Inputs/check.c -o %t.check.o
// RUN: %clangxx -std=c++20 -O0 -g %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.9 1.1 0.7 1.3
// RUN: %clangxx -std=c++20 -O1 %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.9 1.1 0.7 1.3
// RUN: %clangxx -std=c++20 -O2 %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.9 1.1 0.7 1.3
// RUN: %clangxx -std=c++20 -O3 %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.9 1.1 0.7 1.3
// RUN: %clangxx -std=c++20 -O2 -ffast-math %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.9 1.1 0.7 1.3
// RUN: %clangxx -std=c++20 -O2 -fsanitize=address %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.9 1.1 0.7 1.3
#include "source.h"
#include <cmath>
#include <map>
#include <unordered_map>
namespace {
struct Record {
    double value;
    int uses;
    double weight;
};
double ordered(const double *x, int n) {
    std::map<int, Record> records;
    for (int i = 0; i < 6; i++) records[i % 4] = Record{x[i % n], i, x[(i + 1) % n] * 2};
    records.insert({9, Record{x[0] * x[1], 3, 1.0}});
    records[2].weight *= x[3];
    records.erase(1);
    double sum = 0;
    for (auto &[key, record] : records) sum += record.value * record.weight * (record.uses + 1) + std::cos(record.weight);
    return sum;
}
double hashed(const double *x, int n) {
    std::unordered_map<int, Record> records;
    for (int i = 0; i < 6; i++) records[i * 7] = Record{x[i % n], i, x[(i + 1) % n] * 2};
    records[7].value = x[2] * x[3];
    records.erase(14);
    double sum = 0;
    for (int i = 0; i < 40; i++) {
        auto found = records.find(i);
        if (found != records.end()) sum += found->second.value * found->second.weight * (found->second.uses + 1);
    }
    return sum;
}
double f(const double *x, int n) { return ordered(x, n) + hashed(x, n); }
}
REQUESTS(f)
