// Dual numbers and Newton's method as templates; lambdas that capture by value and by reference, passed and returned.
// RUN: %levels %s double 0.8 1.3 0.4 2.1
#include "source.h"
#include <cmath>

template <class T>
struct Dual {
    T value, slope;
    friend Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
    friend Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.value * b.slope + a.slope * b.value}; }
};

template <class T>
static Dual<T> exp(Dual<T> a)
{
    T e = std::exp(a.value);
    return {e, e * a.slope};
}

template <class G>
static double newton(G g, double start, int steps)
{
    for (int i = 0; i < steps; i++) {
        auto at = g(Dual<double>{start, 1});
        start -= at.value / at.slope;
    }
    return start;
}

static auto scaled(double factor)
{
    return [factor](Dual<double> u) { return Dual<double>{factor, 0} * exp(u); };
}

static double f(const double *x, int n)
{
    auto shift = Dual<double>{-x[1] * x[1], 0};
    double calls = 0;
    auto g = [&](Dual<double> u) {
        calls += 1;
        return scaled(x[0])(u) + u * u + shift;
    };
    double root = newton(g, 0.5 * x[2], 4);
    return root * root + calls * x[n - 1];
}

REQUESTS(f)
