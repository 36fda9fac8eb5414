// Closures in std::function, in a program that was optimised before the plugin saw it: LLVM knows of larger objects then than the functions
// that are called through pointers take by reference.
// RUN: %clangxx -O2 -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='default<O2>' -S %t.ll -o %t.done.ll && %clangxx -O1 %t.done.ll -o %t %runtime && %t
#include <cmath>
#include <cstdio>
#include <functional>

#include "backsweep.h"

enum { N = 4 };

static double repeat(const std::function<double(double)> &step, double start, int count)
{
    while (count-- > 0)
        start = step(start);
    return start;
}

static double f(const double *x, int n)
{
    double decay = 0.3 + 0.1 * x[0];
    auto step = [decay, shift = x[1 % n]](double z) { return std::cos(decay * z) + shift; };
    std::function<double(double)> chain = step;
    for (int i = 0; i < 3; i++)
        chain = [chain, i](double z) { return chain(z) / (2.0 + i); };
    return repeat(step, x[2 % n], 7) + chain(x[3 % n]);
}

int main()
{
    double x[N] = {0.31, 0.75, 1.1, 0.4}, dx[N] = {0}, h = 1e-6;
    __backsweep_gradient_void((void *)f, x, dx, N);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        double at = x[i];
        x[i] = at + h;
        double above = f(x, N);
        x[i] = at - h;
        double expected = (above - f(x, N)) / (2 * h);
        x[i] = at;
        if (!(std::fabs(dx[i] - expected) <= 1e-6 * (1 + std::fabs(expected)))) {
            std::printf("%d: %.12g, expected %.12g\n", i, dx[i], expected);
            wrong = 1;
        }
    }
    return wrong;
}
