// Hessian times a vector by differentiating a gradient once more: layers behind shared pointers. On some ways the gradient takes records back
// of which the optimiser has found that nobody lays them, several in one block.
// RUN: %clangxx -O0 -g -std=c++20 %include %pass %s -o %t %runtime && %t
// RUN: %clangxx -O2 -g -std=c++20 %include %pass %s -o %t %runtime && %t
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "backsweep.h"

enum { N = 6 };

struct Layer {
    std::vector<double> weights, shift;
    explicit Layer(const double *x) : weights(2), shift(2) { weights[0] = x[0] * x[1]; weights[1] = x[2]; }
    std::vector<double> forward(const std::vector<double> &in) const
    {
        std::vector<double> out(shift);
        for (size_t i = 0; i < weights.size(); i++)
            out[i] += std::tanh(in[i] * weights[i]);
        return out;
    }
};

static double f(const double *x, int n)
{
    std::vector<std::shared_ptr<Layer>> layers;
    layers.push_back(std::make_shared<Layer>(x));
    layers.push_back(std::make_shared<Layer>(x + 1));
    layers.push_back(std::make_shared<Layer>(x + n - 3));
    std::vector<double> values{x[0], x[4]};
    for (auto &layer : layers)
        values = layer->forward(values);
    return values[0] * values[1];
}

static void gradient(const double *x, double *dx, int n) { __backsweep_gradient_void((void *)f, x, dx, n); }

int main()
{
    double x[N] = {0.9, 0.7, 1.2, 0.6, 1.1, 0.4}, v[N] = {0.3, -0.2, 0.5, 0.1, -0.4, 0.6};
    double g[N] = {0}, product[N] = {0}, above[N] = {0}, below[N] = {0}, h = 1e-5;
    __backsweep_tangent_void((void *)gradient, x, v, g, product, N);
    for (double &xi : x)
        xi += h * v[&xi - x];
    gradient(x, above, N);
    for (double &xi : x)
        xi -= 2 * h * v[&xi - x];
    gradient(x, below, N);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        double expected = (above[i] - below[i]) / (2 * h);
        if (!(std::fabs(product[i] - expected) <= 1e-6 * (1 + std::fabs(expected)))) {
            std::printf("%d: %.12g, expected %.12g\n", i, product[i], expected);
            wrong = 1;
        }
    }
    return wrong;
}
