// Trees of shared_ptr: nodes evaluate and destroy each other through pointers, any number of levels deep.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <cmath>
#include <memory>
#include <vector>
namespace {
struct Expr {
    virtual ~Expr() = default;
    virtual double eval() const = 0;
};
using P = std::shared_ptr<Expr>;
struct Const : Expr {
    double v;
    explicit Const(double v) : v(v) {}
    double eval() const override { return v; }
};
struct Add : Expr {
    P a, b;
    Add(P a, P b) : a(std::move(a)), b(std::move(b)) {}
    double eval() const override { return a->eval() + b->eval(); }
};
struct Mul : Expr {
    P a, b;
    Mul(P a, P b) : a(std::move(a)), b(std::move(b)) {}
    double eval() const override { return a->eval() * b->eval(); }
};
struct Sin : Expr {
    P a;
    explicit Sin(P a) : a(std::move(a)) {}
    double eval() const override { return std::sin(a->eval()); }
};
double f(const double *x, int n) {
    std::vector<P> leaves;
    for (int i = 0; i < n; i++)
        leaves.push_back(std::make_shared<Const>(x[i]));
    P s = leaves[0];
    for (int i = 1; i < n; i++)
        s = std::make_shared<Add>(s, std::make_shared<Mul>(leaves[i], std::make_shared<Sin>(s)));
    return s->eval();
}
}
REQUESTS(f)
