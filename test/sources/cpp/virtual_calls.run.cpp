// Virtual functions of objects whose class is known where they are made.
// RUN: %levels %s double 0.8 1.3 0.4 2.1
#include "source.h"
#include <cmath>

struct Layer {
    virtual double apply(double x) const = 0;
    virtual ~Layer() = default;
};

struct Scale : Layer {
    double factor;
    explicit Scale(double factor) : factor(factor) {}
    double apply(double x) const override { return factor * x; }
};

struct Soft : Layer {
    double width;
    explicit Soft(double width) : width(width) {}
    double apply(double x) const override { return width * std::tanh(x / width); }
};

static double run(const Layer &layer, double x, int rounds)
{
    for (int i = 0; i < rounds; i++)
        x = layer.apply(x) + 0.1;
    return x;
}

static double f(const double *x, int n)
{
    Scale scale(x[0]);
    Soft soft(x[1]);
    return run(scale, x[2], 3) * run(soft, x[n - 1], 2);
}

REQUESTS(f)
