// A union of a double and a pointer, of which a callee makes the pointer null: that ends a derivative, and who copies the words next to it
// must not take such a store for one that says nothing of numbers.
// RUN: %refused %t.o %clangxx -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clangxx -g -O2 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
#include <cstdlib>
#include <cstring>

#include "backsweep.h"

struct record {
    union {
        double number;
        record *next;
    };
    double weight;
    long count;
    record *first;
};

static __attribute__((noinline)) void empty(record *records, int depth) {
    if (depth > 0) {
        empty(records, depth - 1);
        return;
    }
    records->next = nullptr;
}

static double f(const double *x, int n) {
    auto *from = static_cast<record *>(std::malloc(2 * sizeof(record)));
    auto *to = static_cast<record *>(std::malloc(2 * sizeof(record)));
    for (int i = 0; i < 2; i++) {
        from[i].number = x[0] * x[1];
        from[i].weight = x[0] * x[i];
        from[i].count = n + i;
        from[i].first = from;
    }
    empty(from, n);
    // CHECK: emptied_words.reject.cpp:[[#@LINE + 1]]:{{[0-9]+}}: error: backsweep: {{.*}}memcpy{{.*}}cannot be told
    std::memcpy(to, from, sizeof(record) * (n > 3 ? 2 : 1));
    double y = to[0].number * 3 + to[0].weight * to[1].weight * to[1].count;
    if (to[1].first)
        y += to[1].first->weight * x[1];
    std::free(from);
    std::free(to);
    return y;
}

void gradient(const double *x, double *dx, int n) { __backsweep_gradient_void((void *)f, x, dx, n); }
