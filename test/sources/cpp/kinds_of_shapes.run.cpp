// Shapes that know of what type they are, handed to a function that calls itself, and code that nobody sees: what is known of a type is a
// constant without numbers, which has a shadow only since a pointer to it lies beside numbers.
// RUN: %levels %s double 0.53 1.37 0.21 0.83
#include <memory>
#include <typeinfo>
#include <unistd.h>
#include <vector>

#include "source.h"

struct Shape {
    const std::type_info *kind;
    explicit Shape(const std::type_info &k) : kind(&k) {}
    virtual ~Shape() = default;
    virtual double area() const = 0;
};

struct Disc final : Shape {
    double r;
    explicit Disc(double r) : Shape(typeid(Disc)), r(r) {}
    double area() const override { return 3 * r * r; }
};

struct Box final : Shape {
    double a, b;
    Box(double a, double b) : Shape(typeid(Box)), a(a), b(b) {}
    double area() const override { return a * b; }
};

static double total(Shape *const *shapes, int count)
{
    if (count == 0)
        return 0;
    gethostid();
    double factor = *shapes[0]->kind == typeid(Disc) ? 3 : 1;
    return shapes[0]->area() * factor + .5 * total(shapes + 1, count - 1);
}

static double f(const double *x, int n)
{
    Shape *shapes[8];
    for (int i = 0; i < n; i++)
        shapes[i] = i % 2 ? static_cast<Shape *>(new Disc(x[i])) : new Box(x[i], x[0]);
    double s = total(shapes, n);
    for (int i = 0; i < n; i++)
        delete shapes[i];
    return s;
}

REQUESTS(f)
