// Two hierarchies of classes whose virtual functions take the same and stand at the same places, and a table of functions that take that as
// well: what a pointer to a node leads to is a node, and the others count with the bytes where nodes keep numbers.
// RUN: %clangxx -O2 -std=c++20 %include %pass %s -o %t %runtime && %t
// RUN: %clangxx -O1 -std=c++20 %include %pass %s -o %t %runtime && %t
// RUN: %clangxx -O0 -g -std=c++20 %include %pass %s -o %t %runtime && %t
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "backsweep.h"

enum { N = 6 };

struct Node {
    virtual double value(double t) const = 0;
    virtual void step() {}
    virtual ~Node() = default;
};

struct Spring : Node {
    double stiffness, at;
    Spring(double k, double x) : stiffness(k), at(x) {}
    double value(double t) const override { return stiffness * std::sin(at * t); }
    void step() override { at += stiffness * 0.1; }
};

struct Pair : Node {
    std::unique_ptr<Node> left, right;
    Pair(Node *one, Node *other) : left(one), right(other) {}
    double value(double t) const override
    {
        const Node *one = left.get(), *other = right.get();
        return one->value(t) * other->value(t);
    }
    void step() override
    {
        Node *one = left.get();
        one->step();
    }
};

struct Counter {
    virtual double value(double t) const = 0;
    virtual void step() {}
    virtual ~Counter() = default;
};

struct Hash : Counter {
    long bits = 1, rounds = 0;
    double value(double t) const override { return t + (bits ^ rounds); }
    void step() override { bits ^= ++rounds << 7; }
};

struct Text : Counter {
    char bytes[16] = "none";
    double value(double) const override { return std::strlen(bytes); }
    void step() override { std::memmove(bytes + 1, bytes, 8); }
};

static double count(void *where, double t) { return *static_cast<long *>(where) += static_cast<long>(t); }
static double forget(void *where, double t) { return *static_cast<long *>(where) = 0, t; }
static double (*const counts[])(void *, double) = {count, forget};

struct Scale {
    double by;
};
static double scale(void *where, double t) { return static_cast<Scale *>(where)->by * t; }
static double shrink(void *where, double t) { return t / (1 + static_cast<Scale *>(where)->by); }
static double (*const scales[])(void *, double) = {scale, shrink};

double run_counters(int k, double t)
{
    std::vector<std::unique_ptr<Counter>> counters;
    counters.push_back(std::make_unique<Hash>());
    counters.push_back(std::make_unique<Text>());
    Counter *one = counters[k & 1].get();
    one->step();
    long many = 3;
    return one->value(t) + counts[k & 1](&many, t);
}

static double f(const double *x, int n)
{
    std::vector<Node *> nodes;
    for (int i = 0; i + 1 < n; i++) {
        Node *node = new Spring(x[i], x[i + 1]);
        if (i % 2)
            node = new Pair(node, new Spring(x[i + 1], x[0]));
        nodes.push_back(node);
    }
    double sum = 0;
    for (int i = 0; i < static_cast<int>(nodes.size()); i++) {
        Node *node = nodes[i];
        node->step();
        Scale by = {x[i]};
        sum += scales[i & 1](&by, node->value(1.5));
    }
    for (int i = 0; i < static_cast<int>(nodes.size()); i++) {
        Node *node = nodes[i];
        delete node;
    }
    return sum;
}

int n_of_counters = 1;

int main()
{
    double x[N] = {0.31, 0.75, 1.1, 0.4, 0.9, 0.6}, dx[N] = {0}, h = 1e-6;
    __backsweep_gradient_void((void *)f, x, dx, N);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        double at = x[i];
        x[i] = at + h;
        double above = f(x, N);
        x[i] = at - h;
        double expected = (above - f(x, N)) / (2 * h);
        x[i] = at;
        if (!(std::fabs(dx[i] - expected) <= 1e-6 * (1 + std::fabs(expected)))) {
            std::printf("%d: %.12g, expected %.12g\n", i, dx[i], expected);
            wrong = 1;
        }
    }
    return wrong + (run_counters(n_of_counters, 2.0) < 0);
}
