// Hessians times vectors of what is chosen when the program runs: virtual functions, pointers to functions and std::function, alone
// and where they call each other, against differences of gradients. Reverse mode over tangents gives the same.
// DEFINE: %{flags} =
// DEFINE: %{build} = %clangxx %{flags} %include %pass %s -o %t %runtime
// DEFINE: %{check} = %{build} && %t && env BACKSWEEP_TAPE_CHECK=1 %t && %{build} -DFUNCTIONS && %t && env BACKSWEEP_TAPE_CHECK=1 %t
// REDEFINE: %{flags} = -O0
// RUN: %{check}
// REDEFINE: %{flags} = -O1
// RUN: %{check}
// REDEFINE: %{flags} = -O2 -ffast-math
// RUN: %{check}
// REDEFINE: %{flags} = -O3
// RUN: %{check}
// REDEFINE: %{flags} = -O1 -g -fsanitize=address
// RUN: %{check}
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <vector>

#include "backsweep.h"

static const int N = 4;

#ifndef FUNCTIONS
// From a table.
static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
static double wave(double x) { return std::sin(x) * x; }
static double (*const table[])(double) = {square, cube, wave};
static double tabled(const double *x, int n)
{
    double s = 1;
    for (int i = 0; i < n; i++)
        s = s * 0.5 + table[(i * 2 + n) % 3](x[i] * s);
    return s;
}

// The same, handed down by a function that calls itself.
typedef double (*integrand)(double, const double *);
static double decay(double t, const double *x) { return std::exp(-x[0] * t) * std::sin(x[1] * t); }
static double peak(double t, const double *x) { return x[2] / (x[3] + t * t); }
static integrand integrands[] = {decay, peak};
static double refine(integrand g, const double *x, double a, double b, double fa, double fb, int depth)
{
    double m = (a + b) / 2, fm = g(m, x);
    if (depth == 0 || std::fabs(fa + fb - 2 * fm) < 1e-3)
        return (b - a) * (fa + 4 * fm + fb) / 6;
    return refine(g, x, a, m, fa, fm, depth - 1) + refine(g, x, m, b, fm, fb, depth - 1);
}
static double refined(const double *x, int n)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        integrand g = integrands[(k + n) % 2];
        sum += refine(g, x, 0, 3 * x[k], g(0, x), g(3 * x[k], x), 6) * (sum + 1);
    }
    return sum;
}

// Base pointers to what does not call each other.
struct Shape {
    virtual double area(double s) const = 0;
    virtual ~Shape() {}
};
struct Circle : Shape {
    double r;
    Circle(double r) : r(r) {}
    double area(double s) const override { return 3.14 * r * r * std::sin(s); }
};
struct Square : Shape {
    double a;
    Square(double a) : a(a) {}
    double area(double s) const override { return a * a * a * s; }
};
static double shapes(const double *x, int n)
{
    Circle c(x[0]), d(x[3]);
    Square q(x[1]), r(x[2] * x[3]);
    Shape *all[] = {&c, &q, &r, &d};
    double s = 1;
    for (int i = 0; i < n; i++)
        s += all[i]->area(s) * 0.3;
    return s;
}

// Expressions that hold active numbers and call each other.
struct Term {
    virtual double value(double s) const = 0;
    virtual ~Term() {}
};
struct Number : Term {
    double v;
    Number(double v) : v(v) {}
    double value(double s) const override { return v * s; }
};
struct Sine : Term {
    Term *a;
    double k;
    Sine(Term *a, double k) : a(a), k(k) {}
    double value(double s) const override { return k * std::sin(a->value(s * k)); }
};
struct Product : Term {
    Term *l, *r;
    Product(Term *l, Term *r) : l(l), r(r) {}
    double value(double s) const override { return l->value(s) * r->value(s + 1); }
};
struct Scaled : Term {
    Term *a;
    double k[2];
    int n;
    Scaled(Term *a, double p, double q) : a(a), k{p, q}, n(2) {}
    double value(double s) const override
    {
        double t = 0;
        for (int i = 0; i < n && t < 50; i++)
            t += k[i] * a->value(s * k[i]) + t * t * 0.1;
        return t;
    }
};
static double terms(const double *x, int n)
{
    Number a(x[0]), b(x[1]);
    Sine s(&a, x[2]);
    Product p(&s, &b);
    Sine t(&p, x[3]);
    Product q(&t, &s);
    Scaled c(&q, x[0], x[3]);
    Term *all[] = {&q, &c, &s};
    double sum = 0.5;
    for (int i = 0; i < n - 1; i++)
        sum += all[i]->value(sum);
    return sum;
}

// Expressions in which nothing is active: their addresses on the tape have no shadows.
struct Node {
    virtual double value(const double *x) const = 0;
    virtual ~Node() {}
};
struct Leaf : Node {
    int i;
    Leaf(int i) : i(i) {}
    double value(const double *x) const override { return x[i]; }
};
struct Bend : Node {
    Node *a;
    Bend(Node *a) : a(a) {}
    double value(const double *x) const override { return std::sin(a->value(x)); }
};
struct Times : Node {
    Node *l, *r;
    Times(Node *l, Node *r) : l(l), r(r) {}
    double value(const double *x) const override { return l->value(x) * r->value(x); }
};
static Leaf x0(0), x1(1), x2(2), x3(3);
static Times t1(&x0, &x1);
static Bend b1(&t1);
static Times t2(&b1, &x2), t3(&t2, &x3);
static Bend b2(&t3);
static Times t4(&b2, &b1);
static Node *start = &t4;
static double nodes(const double *x, int) { return start->value(x) * x[0]; }

// Memory that classes own, made and freed on the way down and up.
static double waves(const std::vector<double> &v, int depth)
{
    if (depth == 0) {
        double s = 0;
        for (double t : v)
            s += t * t;
        return s;
    }
    std::vector<double> w(v.size());
    for (size_t i = 0; i < v.size(); i++)
        w[i] = std::sin(v[i]) * v[(i + 1) % v.size()];
    return waves(w, depth - 1) * v[0] + waves(v, depth - 1);
}
static double vectors(const double *x, int n)
{
    std::vector<double> v(x, x + n);
    return waves(v, 3);
}
struct Owner {
    double v;
    std::unique_ptr<Owner> l, r;
    Owner(double v) : v(v) {}
};
static double walk(const Owner *o, double s)
{
    return o ? std::sin(o->v * s) + walk(o->l.get(), s * o->v) * walk(o->r.get(), s) : s;
}
static double owners(const double *x, int)
{
    auto a = std::make_unique<Owner>(x[0] * x[1]), b = std::make_unique<Owner>(x[2]), c = std::make_unique<Owner>(x[3] * x[0]);
    b->l = std::move(a);
    c->r = std::move(b);
    return walk(c.get(), x[1]);
}
#else
// What these hold lies in bytes that may be anything, so they are by themselves.
static double functions(const double *x, int n)
{
    double k = x[2];
    std::function<double(double)> all[] = {[](double t) { return t * t; }, [k](double t) { return std::sin(t * k); },
                                           [x](double t) { return t * x[3]; }};
    double s = x[0];
    for (int i = 0; i < n; i++)
        s = all[(i * 2 + 1) % 3](s) + x[1];
    return s;
}
#endif

static int failures;

static void expect(const char *what, int i, double got, double wanted, double tolerance)
{
    if (!(std::fabs(got - wanted) <= tolerance * (1 + std::fabs(wanted)))) {
        std::printf("%s %d: %.12g instead of %.12g\n", what, i, got, wanted);
        failures++;
    }
}

template <double f(const double *, int)> static void gradient(double *x, double *dx, int n)
{
    __backsweep_gradient_void((void *)f, bs_dup, x, dx, n);
}
template <double f(const double *, int)> static double slope(double *x, double *v, int n)
{
    return __backsweep_tangent((void *)f, bs_dup, x, v, n);
}

template <double f(const double *, int), bool both> static void check(const char *what)
{
    double x[N], v[N], dx[N] = {0}, hv[N] = {0}, again[N] = {0}, dv[N] = {0}, up[N] = {0}, down[N] = {0}, h = 1e-6;
    for (int i = 0; i < N; i++)
        x[i] = 0.7 + 0.13 * i, v[i] = std::cos(1.0 + i);
    __backsweep_tangent_void((void *)gradient<f>, bs_dup, x, v, bs_dup, dx, hv, N);
    if constexpr (both)
        __backsweep_gradient_void((void *)slope<f>, bs_dup, x, again, bs_dup, v, dv, N);
    for (int i = 0; i < N; i++)
        x[i] += h * v[i];
    gradient<f>(x, up, N);
    for (int i = 0; i < N; i++)
        x[i] -= 2 * h * v[i];
    gradient<f>(x, down, N);
    for (int i = 0; i < N; i++) {
        expect(what, i, hv[i], (up[i] - down[i]) / (2 * h), 1e-6);
        expect(what, 10 + i, both ? again[i] : hv[i], hv[i], 1e-11);
        expect(what, 20 + i, both ? dv[i] : dx[i], dx[i], 1e-11);
    }
}

int main()
{
#ifndef FUNCTIONS
    check<tabled, true>("tabled");
    check<refined, true>("refined");
    // Destructors run on the way out of these, which reverse mode over a tangent takes for a catch.
    check<shapes, false>("shapes");
    check<terms, false>("terms");
    check<nodes, true>("nodes");
    check<vectors, false>("vectors");
    check<owners, false>("owners");
#else
    check<functions, true>("functions");
#endif
    return failures != 0;
}
