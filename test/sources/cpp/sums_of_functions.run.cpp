// A function object that owns others of its kind by shared_ptr: a vector that is known to be empty is moved from null to null.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <cmath>
#include <memory>
#include <vector>
namespace {
struct Integrand {
    virtual double operator()(double t) const = 0;
    virtual ~Integrand() = default;
};
class Gauss : public Integrand {
    double m, s;
  public:
    Gauss(double m, double s) : m(m), s(s) {}
    double operator()(double t) const override { return std::exp(-0.5 * (t - m) * (t - m) / (s * s)) / s; }
};
class Sum : public Integrand {
    std::vector<std::shared_ptr<Integrand>> parts;
  public:
    void add(std::shared_ptr<Integrand> part) { parts.push_back(std::move(part)); }
    double operator()(double t) const override {
        double r = 0;
        for (auto &part : parts)
            r += (*part)(t);
        return r;
    }
};
double simpson(const Integrand &g, double a, double b, int n) {
    double h = (b - a) / n, s = g(a) + g(b);
    for (int i = 1; i < n; i++)
        s += g(a + i * h) * (i % 2 ? 4 : 2);
    return s * h / 3;
}
double f(const double *x, int n) {
    Sum s;
    s.add(std::make_shared<Gauss>(x[0], 1 + x[1]));
    s.add(std::make_shared<Gauss>(x[2], 2.0));
    auto inner = std::make_shared<Sum>();
    inner->add(std::make_shared<Gauss>(x[3 % n], 0.5));
    s.add(inner);
    return simpson(s, -1, 3, 16);
}
}
REQUESTS(f)
