// A variant of numbers, of several numbers and of a vector, in a vector that grows: at one place there are floats at one time and pointers
// at another, and both are moved by who knows which it is. Where that cannot be told they are moved as bytes.
// Under UBSan the checks of pointers stand between what is moved, and it is refused.
// RUN: %clang -O1 -c %S/../Inputs/check.c -o %t.check.o
// RUN: %clangxx -std=c++20 -O0 -g %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O1 %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O2 %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O3 %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O2 -ffast-math %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O2 -g -fsanitize=address %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <variant>
#include <vector>
namespace {
struct Circle { double radius; };
struct Rectangle { double width, height; };
struct Polygon { std::vector<double> sides; };
using Shape = std::variant<Circle, Rectangle, Polygon>;
struct Area {
    double operator()(const Circle &c) const { return 3 * c.radius * c.radius; }
    double operator()(const Rectangle &r) const { return r.width * r.height; }
    double operator()(const Polygon &p) const { double s = 0; for (double v : p.sides) s += v * v; return s; }
};
double f(const double *x, int n) {
    std::vector<Shape> shapes;
    shapes.push_back(Circle{x[0]});
    shapes.push_back(Rectangle{x[1], x[3]});
    shapes.emplace_back(Polygon{{x[1], x[2]}});
    double total = 0, product = x[n - 1];
    for (auto &shape : shapes) {
        double area = std::visit(Area{}, shape);
        total += area;
        product *= 0.3 + 0.2 * area;
    }
    return total * product;
}
}
REQUESTS(f)
