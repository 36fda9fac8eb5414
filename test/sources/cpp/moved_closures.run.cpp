// Closures of one number and of two, in a class that is returned and moved, and taken out of a vector: what they hold is moved word by word, as
// integers, and read as numbers only where they are called.
// RUN: %levels %s double 1.2 0.7 0.4 1.9
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

#include "source.h"

struct Model {
    std::vector<std::function<double(double)>> terms;
    std::function<double(double)> last;
    std::vector<double> data;
};

static Model make(const double *x, int n)
{
    Model model;
    double a = x[0], b = x[1];
    model.terms.push_back([a](double v) { return a * v; });
    model.terms.push_back([a, b](double v) { return std::exp(-a * v) * b; });
    model.last = std::move(model.terms[1]);
    model.terms.pop_back();
    model.data.assign(x, x + n);
    return model;
}

static double f(const double *x, int n)
{
    Model made = make(x, n), model = std::move(made);
    double sum = 0;
    for (double v : model.data) {
        for (auto &term : model.terms)
            sum += term(v);
        sum += model.last(v);
    }
    return sum;
}

REQUESTS(f)
