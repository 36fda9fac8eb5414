/* Tangents of the gradient of a program with shared owners. What the optimiser finds out about the forward sweep, that an owner is no
 * longer shared or never was, takes ways away on which records were laid; the way back still has theirs, and never goes them. */
// RUN: %clangxx -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clangxx -O2 %pass %include %s -o %t.O2 -lm %runtime && %t.O2
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "backsweep.h"

struct Shape {
    virtual ~Shape() = default;
    virtual double at(double t) const = 0;
};
struct Line : Shape {
    double a;
    explicit Line(double a) : a(a) {}
    double at(double t) const override { return a * t * t; }
};
struct Wave : Shape {
    double w;
    explicit Wave(double w) : w(w) {}
    double at(double t) const override { return std::sin(w * t); }
};

extern "C" double f(const double *x, int n)
{
    std::vector<std::shared_ptr<Shape>> shapes;
    for (int i = 0; i < n; i++)
        if (i & 1)
            shapes.push_back(std::make_shared<Wave>(x[i]));
        else
            shapes.push_back(std::make_shared<Line>(x[i]));
    double sum = 0;
    for (auto &shape : shapes)
        sum += shape->at(x[0]) * shape->at(0.3 + sum);
    return sum;
}

static void gradient(const double *x, double *dx, int n)
{
    __backsweep_gradient((void *)f, bs_dup, x, dx, bs_const, n);
}

int main()
{
    constexpr int n = 6;
    const double x[n] = {0.7, 1.3, 0.4, 0.9, 0.2, 0.6}, v[n] = {0.3, -0.2, 0.5, 0.1, -0.7, 0.4}, h = 1e-5;
    double g[n] = {}, hv[n] = {}, ahead[n] = {}, behind[n] = {}, up[n], down[n];
    __backsweep_tangent((void *)gradient, bs_dup, x, v, bs_dup, g, hv, bs_const, n);
    for (int i = 0; i < n; i++)
        up[i] = x[i] + h * v[i], down[i] = x[i] - h * v[i];
    gradient(up, ahead, n);
    gradient(down, behind, n);
    int bad = 0;
    for (int i = 0; i < n; i++) {
        double expected = (ahead[i] - behind[i]) / (2 * h);
        if (std::abs(hv[i] - expected) > 1e-7 * std::max(1.0, std::abs(expected))) {
            std::printf("%d: %.12g, not %.12g\n", i, hv[i], expected);
            bad = 1;
        }
        double one[n] = {}, first = 0;
        one[i] = 1;
        first = __backsweep_tangent((void *)f, bs_dup, x, one, bs_const, n);
        if (std::abs(g[i] - first) > 5e-13 * std::max(1.0, std::abs(first))) {
            std::printf("gradient %d: %.15g, not %.15g\n", i, g[i], first);
            bad = 1;
        }
    }
    return bad;
}
