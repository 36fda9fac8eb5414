// A robot arm: a tree of links with names, owned by unique pointers, and poses as arrays; valarray and complex besides.
// RUN: %levels %s conditioned 0.8 0.3 0.4 1.1
#include "source.h"
#include <array>
#include <cmath>
#include <complex>
#include <memory>
#include <string>
#include <valarray>
#include <vector>
namespace {
struct Pose {
    std::array<std::array<double, 3>, 3> m;
    static Pose turn(double a, double l) {
        return {
            {{{std::cos(a), -std::sin(a), l * std::cos(a)}, {std::sin(a), std::cos(a), l * std::sin(a)}, {0, 0, 1}}}};
    }
};
Pose operator*(const Pose &a, const Pose &b) {
    Pose c{};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            for (int k = 0; k < 3; k++)
                c.m[i][j] += a.m[i][k] * b.m[k][j];
    return c;
}
class Link {
    std::string name;
    double angle, length;
    std::vector<std::unique_ptr<Link>> children;

  public:
    Link(std::string name, double angle, double length) : name(std::move(name)), angle(angle), length(length) {}
    Link &add(std::string name, double angle, double length) {
        children.push_back(std::make_unique<Link>(std::move(name), angle, length));
        return *children.back();
    }
    void reach(const Pose &base, std::vector<std::array<double, 2>> &tips) const {
        Pose here = base * Pose::turn(angle, length);
        if (children.empty())
            tips.push_back({here.m[0][2], here.m[1][2]});
        for (const auto &child : children)
            child->reach(here, tips);
    }
    double weight() const {
        double w = length * (name.size() > 4 ? 1.5 : 1.0);
        for (auto &c : children)
            w += c->weight();
        return w;
    }
};
double f(const double *x, int n) {
    Link root("base", x[0], 1.0);
    Link &arm = root.add("upper arm", x[1], 0.8);
    arm.add("hand", x[2], 0.3 * x[3]);
    arm.add("gripper", -x[2] * x[1], 0.4);
    std::vector<std::array<double, 2>> tips;
    root.reach(Pose::turn(0, 0), tips);
    double s = root.weight();
    for (auto &tip : tips)
        s += tip[0] * tip[0] * 2 + tip[1];
    std::valarray<double> v(x, n);
    std::valarray<double> w = v * v + std::sin(v) - 0.5;
    std::complex<double> z(x[0], x[1]), p = 1;
    for (int i = 0; i < n; i++)
        p = p * z + std::complex<double>(w[i], x[i]);
    return s + w.sum() * v.max() + std::norm(p) + std::abs(std::exp(z));
}
} // namespace
REQUESTS(f)
