// Shapes behind an interface, owned by a vector: the destructor of one class frees what another class has not, a vtable being all
// that is known to lie in it.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <memory>
#include <vector>
namespace {
struct Shape { virtual ~Shape() = default; virtual double area() const = 0; };
struct A : Shape { double r; explicit A(double r) : r(r) {} double area() const override { return r * r; } };
struct B : Shape { std::vector<double> v; explicit B(double r) : v(3, r) {} double area() const override { return v[0] * v[1] * v[2]; } };
double f(const double *x, int n) {
    std::vector<std::unique_ptr<Shape>> s;
    for (int i = 0; i < n; i++) if (i % 2) s.push_back(std::make_unique<A>(x[i])); else s.push_back(std::make_unique<B>(x[i]));
    double t = 0;
    for (auto &p : s) t += p->area();
    return t;
}
}
REQUESTS(f)
