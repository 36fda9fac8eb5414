// Indices that are sorted by what they lead to: by the library with a closure over the numbers, and by a merge sort of one's own that
// calls itself with both. The order changes where the numbers do, and has no derivative.
// RUN: %clang -O1 -c %root/test/sources/Inputs/check.c -o %t.check.o
// RUN: %clangxx -std=c++20 -O0 -g %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t double 0.8 1.3 -0.4 2.1
// RUN: %clangxx -std=c++20 -O1 -g %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t double 0.8 1.3 -0.4 2.1
// RUN: %clangxx -std=c++20 -O2 -g %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t double 0.8 1.3 -0.4 2.1
// RUN: %clangxx -std=c++20 -O3 -g %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t double 0.8 1.3 -0.4 2.1
// RUN: %clangxx -std=c++20 -O2 -ffast-math -g %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t double 0.8 1.3 -0.4 2.1
#include "source.h"
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

static void merge_sort(int *order, int *buffer, const double *key, int count) {
    if (count < 2)
        return;
    int half = count / 2;
    merge_sort(order, buffer, key, half);
    merge_sort(order + half, buffer, key, count - half);
    int left = 0, right = half;
    for (int i = 0; i < count; i++) {
        bool first = right == count || (left < half && key[order[left]] <= key[order[right]]);
        buffer[i] = first ? order[left++] : order[right++];
    }
    std::copy(buffer, buffer + count, order);
}

static double f(const double *x, int n) {
    std::vector<double> y(40);
    for (int i = 0; i < 40; i++)
        y[i] = i * 37 % 41 + 0.1 * std::sin(x[i % n] * (1 + i / n));
    std::vector<int> sorted(y.size()), own(y.size()), buffer(y.size());
    std::iota(sorted.begin(), sorted.end(), 0);
    own = sorted;
    std::sort(sorted.begin(), sorted.end(), [&](int a, int b) { return y[a] < y[b]; });
    merge_sort(own.data(), buffer.data(), y.data(), 40);
    double sum = 0;
    for (int i = 0; i < 40; i++)
        sum += (i + 1) * y[sorted[i]] + 0.1 * y[sorted[i / 2]] * y[own[39 - i]];
    return sum;
}

REQUESTS(f)
