// Expressions as trees of objects that unique_ptr owns, whose nodes have a letter where others have a number: built, copied, evaluated.
// RUN: %levels %s conditioned 0.9 1.1 0.7 1.3
#include "source.h"
#include <cmath>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
namespace {
using Env = std::unordered_map<std::string, double>;
struct Node { virtual ~Node() = default; virtual double eval(const Env &) const = 0; virtual std::unique_ptr<Node> clone() const = 0; };
using P = std::unique_ptr<Node>;
struct Num : Node { double v; explicit Num(double v) : v(v) {} double eval(const Env &) const override { return v; } P clone() const override { return std::make_unique<Num>(*this); } };
struct Var : Node { std::string name; explicit Var(std::string s) : name(std::move(s)) {} double eval(const Env &e) const override { return e.at(name); } P clone() const override { return std::make_unique<Var>(name); } };
struct Bin : Node { char op; P l, r; Bin(char o, P a, P b) : op(o), l(std::move(a)), r(std::move(b)) {}
    double eval(const Env &e) const override { double a = l->eval(e), b = r->eval(e); switch (op) { case '+': return a + b; case '*': return a * b; case '/': return a / b; default: return std::pow(a, b); } }
    P clone() const override { return std::make_unique<Bin>(op, l->clone(), r->clone()); } };
P num(double v) { return std::make_unique<Num>(v); }
P var(const char *s) { return std::make_unique<Var>(s); }
P bin(char o, P a, P b) { return std::make_unique<Bin>(o, std::move(a), std::move(b)); }
struct List { double v; std::unique_ptr<List> next; };
double f(const double *x, int n) {
    P e = bin('+', bin('*', var("x"), num(x[0])), bin('^', var("y"), bin('/', num(x[1]), var("x"))));
    P g = bin('*', e->clone(), bin('+', std::move(e), num(1.5)));
    Env env{{"x", x[2]}, {"y", x[3 % n]}};
    double s = g->eval(env);
    env["x"] = s * 0.1;
    s += g->eval(env);
    std::unique_ptr<List> head;
    for (int i = 0; i < 5; i++) { auto cell = std::make_unique<List>(); cell->v = x[i % n] * s; cell->next = std::move(head); head = std::move(cell); }
    std::unique_ptr<List> rev;
    while (head) { auto nx = std::move(head->next); head->next = std::move(rev); rev = std::move(head); head = std::move(nx); }
    double w = 1; for (auto *p = rev.get(); p; p = p->next.get()) { s += w * p->v; w *= 0.5; }
    return s;
}
}
REQUESTS(f)
