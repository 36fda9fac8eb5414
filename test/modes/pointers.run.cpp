/* Calls through pointers: virtual functions, tables of functions, std::function. */
// RUN: %clangxx -O0 -g %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clangxx -O2 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
#include <cmath>
#include <cstdio>
#include <functional>

#include "backsweep.h"
extern "C" { extern double __backsweep_gradient_x(void*, ...); }
struct Shape { virtual double area(double s) const = 0; virtual ~Shape() {} };
struct Circle : Shape { double r; Circle(double r) : r(r) {} double area(double s) const override { return 3.0 * r * r * s; } };
struct Square : Shape { double a; Square(double a) : a(a) {} double area(double s) const override { return a * a + std::sin(s * a); } };
static double total(Shape **shapes, int n, double s) { double t = 0; for (int i = 0; i < n; i++) t += shapes[i]->area(s) * (i + 1); return t; }
static double sq(double x) { return x * x; }
static double cu(double x) { return x * x * x; }
typedef double (*fn)(double);
static fn table[3] = { sq, cu, (fn)sin };
static double viatable(double x, int n) { double s = 0; for (int i = 0; i < n; i++) s += table[i % 3](x + i); return s; }
struct Op { fn f; double w; };
static double ops(const Op *o, int n, double x) { double s = x; for (int i = 0; i < n; i++) s = o[i].w * o[i].f(s); return s; }
static double newton(const std::function<double(double)> &g, double x) { for (int i = 0; i < 4; i++) x = x - 0.1 * g(x); return x; }
static double usefn(double x) { return newton([x](double y) { return y * y - x; }, x); }
static int near(double a, double b, const char *w) { if (std::fabs(a - b) > 1e-5 * (1 + std::fabs(b))) { std::printf("%s %.12g but %.12g\n", w, a, b); return 0; } return 1; }
int main() {
  int ok = 1; double h = 1e-6;
  Circle c(1.5); Square q(0.7); Shape *s[3] = { &c, &q, &c };
  ok &= near(__backsweep_gradient_x((void *)total, bs_const, s, 3, bs_out, 0.4), (total(s, 3, 0.4 + h) - total(s, 3, 0.4 - h)) / 2 / h, "virtual");
  Circle dc(0); Square dq(0); Shape *ds[3] = { &dc, &dq, &dc };
  double g = __backsweep_gradient_x((void *)total, bs_dup, s, ds, 3, bs_out, 0.4);
  ok &= near(g, (total(s, 3, 0.4 + h) - total(s, 3, 0.4 - h)) / 2 / h, "virtual dup");
  c.r += h; double up = total(s, 3, 0.4); c.r -= 2 * h; double dn = total(s, 3, 0.4); c.r += h;
  ok &= near(dc.r, (up - dn) / 2 / h, "circle");
  q.a += h; up = total(s, 3, 0.4); q.a -= 2 * h; dn = total(s, 3, 0.4); q.a += h;
  ok &= near(dq.a, (up - dn) / 2 / h, "square");
  ok &= near(__backsweep_gradient_x((void *)viatable, bs_out, 0.3, 7), (viatable(0.3 + h, 7) - viatable(0.3 - h, 7)) / 2 / h, "table");
  Op o[2] = { { sq, 0.5 }, { cu, 0.25 } }, d_o[2] = { { sq, 0 }, { cu, 0 } };
  ok &= near(__backsweep_gradient_x((void *)ops, bs_dup, o, d_o, 2, bs_out, 1.3), (ops(o, 2, 1.3 + h) - ops(o, 2, 1.3 - h)) / 2 / h, "ops");
  ok &= near(__backsweep_gradient_x((void *)usefn, bs_out, 0.3), (usefn(0.3 + h) - usefn(0.3 - h)) / 2 / h, "function");
  std::puts(ok ? "all right" : "WRONG"); return !ok;
}
