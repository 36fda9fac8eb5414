// Static members, inline variables, static locals with initialisers that run, and objects with virtual functions.
// RUN: %clangxx -O0 -g %include %pass %s -o %t %runtime && %t
// RUN: %clangxx -O2 %include %pass %s -o %t %runtime && %t
// RUN: %clangxx -O3 -ffast-math %include %pass %s -o %t %runtime && %t
#include <cmath>
#include <cstdio>

#include "backsweep.h"

struct Filter {
    static double memory;
    inline static double gain[2] = {0.5, 0.25};
    double pass(double x) { return memory = gain[0] * memory + gain[1] * x * x; }
};
double Filter::memory = 0;

static double filtered(double x)
{
    Filter filter;
    Filter::memory = x;
    for (int i = 0; i < 3; i++) filter.pass(x * i);
    Filter::gain[1] = 0.25;
    return Filter::memory * x;
}

template <class T> struct Cache {
    static T last;
};
template <class T> T Cache<T>::last = 0;

static double templated(double x)
{
    Cache<double>::last = std::exp(x);
    return Cache<double>::last * x;
}

struct Shape {
    double size = 1;
    virtual double area() const { return size; }
    virtual ~Shape() = default;
};
struct Square : Shape {
    double area() const override { return size * size; }
};
static Square square;
static Shape *shape = &square;

static double virtually(double x)
{
    square.size = 3 * x;
    return shape->area() + square.area();
}

static double &slot()
{
    static double value = std::sqrt(2.0);
    return value;
}

static double behind_reference(double x)
{
    slot() = x * x;
    return slot() * x;
}

static int failures;
static void check(const char *name, double found, double (*f)(double), double x)
{
    double h = 1e-6, slope = (f(x + h) - f(x - h)) / (2 * h);
    if (std::fabs(found - slope) <= 1e-6 * (1 + std::fabs(slope))) return;
    std::printf("%s: %.12g, differences say %.12g\n", name, found, slope);
    failures++;
}
#define TRY(f)                                                                    \
    check(#f " gradient", __backsweep_gradient((void *)f, 1.3), f, 1.3);          \
    check(#f " tangent", __backsweep_tangent((void *)f, 1.3, 1.0), f, 1.3)

int main()
{
    TRY(filtered);
    TRY(templated);
    TRY(virtually);
    TRY(behind_reference);
    return failures != 0;
}
