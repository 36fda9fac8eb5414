// Two classes behind shared_ptr in one vector: which of them a counter is dropped for is a choice among the functions at that place of the
// tables, and not among all that virtual calls were compared with before.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <memory>
#include <vector>
namespace {
struct Model { virtual ~Model() = default; virtual double value(double) const = 0; };
struct Scalar : Model { double s; explicit Scalar(double s) : s(s) {} double value(double e) const override { return -0.5 * e * e / (s * s); } };
struct Table : Model { std::vector<double> s; explicit Table(double v) : s(3, v) {} double value(double e) const override { return s[0] * s[1] * e; } };
struct Mixture : Model {
    std::vector<std::pair<double, std::shared_ptr<const Model>>> parts;
    double value(double e) const override { double t = 0; for (const auto &[p, m] : parts) t += p * m->value(e); return t; }
};
double f(const double *x, int n) {
    auto a = std::make_shared<Scalar>(0.5 + x[2] * x[2]);
    auto b = std::make_shared<Table>(x[1]);
    auto m = std::make_shared<Mixture>();
    m->parts.emplace_back(0.3 + x[3] * x[3], a);
    m->parts.emplace_back(0.7, b);
    std::vector<std::shared_ptr<Model>> models{a, b, m};
    double t = 0;
    for (auto &model : models) t += model->value(x[0]);
    return t * x[n - 1];
}
}
REQUESTS(f)
