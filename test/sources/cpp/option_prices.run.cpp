// Option pricing by a binomial tree, Monte Carlo with a fixed generator, and a payoff class hierarchy.
// RUN: %levels %s conditioned 0.8 1.1 0.4 0.9
#include "source.h"
#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <vector>
namespace {
class Payoff {
  public:
    virtual ~Payoff() {}
    virtual double operator()(double s) const = 0;
    virtual std::unique_ptr<Payoff> clone() const = 0;
};
class Call : public Payoff {
    double k;

  public:
    explicit Call(double k) : k(k) {}
    double operator()(double s) const override { return std::max(s - k, 0.0); }
    std::unique_ptr<Payoff> clone() const override { return std::make_unique<Call>(*this); }
};
class Digital : public Payoff {
    double k, w;

  public:
    Digital(double k, double w) : k(k), w(w) {}
    double operator()(double s) const override { return 1 / (1 + std::exp(-(s - k) / w)); }
    std::unique_ptr<Payoff> clone() const override { return std::make_unique<Digital>(*this); }
};
class Option {
    std::unique_ptr<Payoff> payoff;
    double expiry;

  public:
    Option(const Payoff &p, double t) : payoff(p.clone()), expiry(t) {}
    Option(const Option &o) : payoff(o.payoff->clone()), expiry(o.expiry) {}
    double time() const { return expiry; }
    double operator()(double s) const { return (*payoff)(s); }
};
double tree(const Option &o, double s, double vol, double rate, int steps) {
    double dt = o.time() / steps, u = std::exp(vol * std::sqrt(dt)), p = (std::exp(rate * dt) - 1 / u) / (u - 1 / u);
    std::vector<double> v(steps + 1);
    for (int i = 0; i <= steps; i++)
        v[i] = o(s * std::pow(u, 2 * i - steps));
    for (int k = steps; k > 0; k--)
        for (int i = 0; i < k; i++)
            v[i] = std::exp(-rate * dt) * (p * v[i + 1] + (1 - p) * v[i]);
    return v[0];
}
double monte_carlo(const Option &o, double s, double vol, double rate, int paths) {
    std::mt19937 generator(42);
    double sum = 0;
    for (int i = 0; i < paths; i++) {
        double u1 = (generator() + 1.0) / 4294967297.0, u2 = generator() / 4294967296.0;
        double z = std::sqrt(-2 * std::log(u1)) * std::cos(2 * M_PI * u2);
        sum += o(s * std::exp((rate - vol * vol / 2) * o.time() + vol * std::sqrt(o.time()) * z));
    }
    return std::exp(-rate * o.time()) * sum / paths;
}
double f(const double *x, int) {
    Option call(Call(x[1]), 1.0), digital(Digital(x[1], 0.1 + 0.1 * x[3]), 0.5);
    std::vector<Option> book{call, digital};
    double s = 0;
    for (const auto &o : book)
        s += tree(o, x[0], x[2], 0.03, 10) + monte_carlo(o, x[0], x[2], 0.03 * x[3], 40);
    return s;
}
} // namespace
REQUESTS(f)
