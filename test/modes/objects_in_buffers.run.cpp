// Objects that others make in a place of the function's own: a copy is made there by a virtual function of the object that is copied, and another class
// takes the place of the first. What was put there in sight says not all that may be there.
// RUN: %clang -O1 -c %root/test/sources/Inputs/check.c -o %t.check.o
// RUN: %clangxx -O0 -std=c++20 %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t double 0.7 1.3 0.4 0.9
// RUN: %clangxx -O2 -std=c++20 %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t double 0.7 1.3 0.4 0.9
#include <new>
#include "source.h"
struct Shape { virtual ~Shape() {} virtual double area() const = 0; virtual Shape *move_to(void *p) const = 0; };
struct Circle : Shape { double r; Circle(double r) : r(r) {} double area() const override { return 3 * r * r; } Shape *move_to(void *p) const override { return new (p) Circle(*this); } };
struct Box : Shape { double a, b; Box(double a, double b) : a(a), b(b) {} double area() const override { return a * b; } Shape *move_to(void *p) const override { return new (p) Box(*this); } };
struct Any { alignas(8) char buf[32]; template <class T> Any(T t) { new (buf) T(t); } Any(const Any &o) { o.get()->move_to(buf); } Any &operator=(const Any &o) { get()->~Shape(); o.get()->move_to(buf); return *this; } ~Any() { get()->~Shape(); } const Shape *get() const { return std::launder(reinterpret_cast<const Shape *>(buf)); } Shape *get() { return std::launder(reinterpret_cast<Shape *>(buf)); } };
static double rec(Any a, const double *x, int n) { if (n == 0) return a.get()->area(); double s = a.get()->area(); if (n % 2) a = Any(Box(x[n] * s, x[0])); else a = Any(Circle(s)); return s + 0.1 * rec(a, x, n - 1); }
static double f(const double *x, int n) {
  Any a{Circle(x[0])}; double s = a.get()->area();
  for (int i = 1; i < n; i++) { if (x[i] > 0.5) a = Any(Box(x[i], s)); else a = Any(Circle(s * x[i])); s += 0.2 * a.get()->area(); }
  return s + rec(a, x, 3);
}
REQUESTS(f)
