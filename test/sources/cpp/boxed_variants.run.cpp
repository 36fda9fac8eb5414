// Variants of a number, of a pair and of an owning pointer to another, built, swapped, moved and asked by recursion: whoever copies
// one does not know what is in it.
// RUN: %clang -O1 -c %S/../Inputs/check.c -o %t.check.o
// RUN: %clangxx -std=c++20 -O0 -g %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O1 %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O2 %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O3 %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O2 -ffast-math %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O2 -g -fsanitize=address %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <cmath>
#include <memory>
#include <utility>
#include <variant>

namespace {
struct Node;
using Box = std::unique_ptr<Node>;
struct Node {
    std::variant<double, Box, std::pair<double, double>> held;
};

Node build(const double *x, int depth) {
    if (depth == 0)
        return Node{x[0] * x[1]};
    if (depth == 2)
        return Node{std::pair<double, double>(x[2], std::sin(x[3]))};
    return Node{std::make_unique<Node>(build(x, depth - 1))};
}

double eval(const Node &node) {
    if (auto *number = std::get_if<double>(&node.held))
        return *number;
    if (auto *box = std::get_if<Box>(&node.held))
        return 1.5 * eval(**box);
    auto &[first, second] = std::get<std::pair<double, double>>(node.held);
    return first * second;
}

double f(const double *x, int n) {
    Node a = build(x, 1), b = build(x, 3), c{x[1]};
    std::swap(a, b);
    c = std::move(a);
    return eval(b) * eval(c) + eval(b) * x[n - 1];
}
}

REQUESTS(f)
