// Trees of vectors of owning pointers, optimised before the plugin sees them: a vector that grows moves its pointers eight bytes by eight
// bytes, and who drops one puts null where it was. Null is the address of nothing, so that nobody finds memory by it.
// RUN: %clangxx -O2 -std=c++17 %include -emit-llvm -c %s -o %t.bc
// RUN: %opt -passes=backsweep %t.bc -o %t.made.bc
// RUN: %clangxx -O1 -fPIC -c %t.made.bc -o %t.o && %clangxx %t.o -o %t %runtime && %t
// RUN: %clangxx -O0 -std=c++17 %include %pass %s -o %t %runtime && %t
// RUN: %clangxx -O2 -std=c++17 %include %pass %s -o %t %runtime && %t
#include <backsweep.h>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

extern "C" {
void __backsweep_gradient_f(void *, ...);
double __backsweep_tangent_f(void *, ...);
}

struct Node {
    double value;
    std::vector<std::unique_ptr<Node>> inner;
};

static double total(const Node &node, double weight)
{
    double sum = node.value * node.value * weight;
    for (const auto &inner : node.inner)
        sum += std::sin(total(*inner, weight * 0.5));
    return sum;
}

static double f(const double *x, int n)
{
    Node root{x[0], {}};
    for (int i = 0; i < n; i++) {
        auto inner = std::make_unique<Node>(Node{x[i] * (i + 1), {}});
        for (int j = 0; j < 3; j++)
            inner->inner.push_back(std::make_unique<Node>(Node{x[j % n] + i * j, {}}));
        root.inner.push_back(std::move(inner));
    }
    return total(root, 1.5);
}

int main()
{
    double x[4] = {0.8, 1.3, 0.4, 2.1}, v[4] = {1, -0.5, 0.25, 2}, dx[4] = {}, along = 0;
    __backsweep_gradient_f((void *)f, x, dx, 4);
    double tangent = __backsweep_tangent_f((void *)f, x, v, 4);
    bool failed = false;
    for (int i = 0; i < 4; i++) {
        double at = x[i], h = 1e-6;
        x[i] = at + h;
        double up = f(x, 4);
        x[i] = at - h;
        double slope = (up - f(x, 4)) / (2 * h);
        x[i] = at;
        failed |= std::fabs(slope - dx[i]) > 1e-7 * (1 + std::fabs(slope));
        along += dx[i] * v[i];
    }
    failed |= std::fabs(along - tangent) > 1e-12 * std::fabs(along);
    if (failed)
        std::printf("wrong: %g %g %g %g, %g\n", dx[0], dx[1], dx[2], dx[3], tangent);
    return failed;
}
