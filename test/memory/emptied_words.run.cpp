// A union of a double and a pointer, of which a callee makes the pointer null: that ends a derivative, and who copies the words next to it
// must not take such a store for one that says nothing of numbers.
// RUN: %clangxx -O0 %include %pass %s -o %t %runtime -lm && %t
// RUN: %clangxx -O2 %include %pass %s -o %t %runtime -lm && %t
// RUN: %clangxx -O2 -fsanitize=address,undefined -fno-sanitize-recover=all %include %pass %s -o %t %runtime -lm && %t
#include <cmath>
#include <cstdio>
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
    double before = from[0].number * x[3];
    empty(from, n);
    std::memcpy(to, from, sizeof(record) * (n > 3 ? 2 : 1));
    double y = to[0].number * 3 + to[1].number * before + to[0].weight * to[1].weight * to[1].count;
    if (to[1].first)
        y += to[1].first->weight * x[1];
    std::free(from);
    std::free(to);
    return y;
}

int main(void)
{
    double x[5] = {0.9, 1.1, 0.7, 1.3, 0.8}, gradient[5] = {0};
    int wrong = 0;
    __backsweep_gradient_void((void *)f, x, gradient, 5);
    for (int i = 0; i < 5; i++) {
        const double h = 1e-6, held = x[i];
        double dx[5] = {};
        dx[i] = 1;
        double forward = __backsweep_tangent((void *)f, x, dx, 5);
        x[i] = held + h;
        double up = f(x, 5);
        x[i] = held - h;
        double difference = (up - f(x, 5)) / (2 * h);
        x[i] = held;
        if (!(fabs(gradient[i] - difference) < 1e-7 * (1 + fabs(difference))) || !(fabs(gradient[i] - forward) < 1e-11 * (1 + fabs(difference)))) {
            printf("%d: %.12g backward, %.12g forward, %.12g by differences\n", i, gradient[i], forward, difference);
            wrong = 1;
        }
    }
    return wrong;
}
