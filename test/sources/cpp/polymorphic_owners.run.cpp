// Layers of a network behind an interface, owned by a vector: the destructor of one class frees what another class has not,
// a vtable being all that is known to lie in it.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <memory>
#include <vector>
#include <cmath>
namespace {
struct Layer { virtual ~Layer() = default; virtual std::vector<double> apply(const std::vector<double> &in) const = 0; };
struct Dense : Layer {
    std::vector<std::vector<double>> w; std::vector<double> b;
    Dense(int rows, int cols, double s) : w(rows, std::vector<double>(cols)), b(rows, 0.1 * s) {
        for (int i = 0; i < rows; i++) for (int j = 0; j < cols; j++) w[i][j] = std::sin(s * (1 + i + 2 * j));
    }
    std::vector<double> apply(const std::vector<double> &in) const override {
        std::vector<double> out(b);
        for (std::size_t i = 0; i < w.size(); i++) for (std::size_t j = 0; j < in.size(); j++) out[i] += w[i][j] * in[j];
        return out;
    }
};
struct Tanh : Layer {
    double slope;
    explicit Tanh(double s) : slope(s) {}
    std::vector<double> apply(const std::vector<double> &in) const override {
        std::vector<double> o;
        o.reserve(in.size());
        for (double v : in) o.push_back(std::tanh(slope * v));
        return o;
    }
};
double f(const double *x, int n) {
    std::vector<std::unique_ptr<Layer>> net;
    net.push_back(std::make_unique<Dense>(3, n, x[0]));
    net.push_back(std::make_unique<Tanh>(x[2]));
    net.emplace_back(new Dense(2, 3, x[1]));
    std::vector<double> v(x, x + n);
    for (const auto &l : net) v = l->apply(v);
    return v[0] * v[0] + v[1];
}
}
REQUESTS(f)
