// Where virtual tables are promised to stay, each look at one goes through an intrinsic that names the same address anew.
// RUN: %clang -O1 -c %root/test/sources/Inputs/check.c -o %t.check.o
// RUN: %clangxx -std=c++20 -O0 -fstrict-vtable-pointers %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t double 0.8 1.3 -0.4 2.1
// RUN: %clangxx -std=c++20 -O2 -fstrict-vtable-pointers %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t double 0.8 1.3 -0.4 2.1
#include "source.h"

struct Law {
    double k;
    explicit Law(double k) : k(k) {}
    virtual ~Law() {}
    virtual double at(double x) const = 0;
    virtual void scale(double s) { k *= s; }
};
struct Square : Law {
    using Law::Law;
    double at(double x) const override { return k * x * x; }
};
struct Line : Law {
    double c;
    Line(double k, double c) : Law(k), c(c) {}
    double at(double x) const override { return c * x + k; }
    void scale(double s) override { c += s * k; }
};

static double f(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        Law *law = i % 2 ? static_cast<Law *>(new Square(x[i])) : new Line(x[i], x[0]);
        law->scale(x[1]);
        sum += law->at(x[i]) * law->at(sum);
        delete law;
    }
    return sum;
}

REQUESTS(f)
