// Vectors whose sums and products are types, evaluated at assignment.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#include "source.h"
#include <cmath>
#include <cstddef>

template <class E>
struct Expression {
    double operator[](std::size_t i) const { return static_cast<const E &>(*this)[i]; }
};

template <class A, class B, class Op>
struct Binary : Expression<Binary<A, B, Op>> {
    const A &a;
    const B &b;
    Binary(const A &a, const B &b) : a(a), b(b) {}
    double operator[](std::size_t i) const { return Op::apply(a[i], b[i]); }
};

struct Plus {
    static double apply(double a, double b) { return a + b; }
};
struct Times {
    static double apply(double a, double b) { return a * b; }
};

template <class A, class B>
static Binary<A, B, Plus> operator+(const Expression<A> &a, const Expression<B> &b)
{
    return {static_cast<const A &>(a), static_cast<const B &>(b)};
}

template <class A, class B>
static Binary<A, B, Times> operator*(const Expression<A> &a, const Expression<B> &b)
{
    return {static_cast<const A &>(a), static_cast<const B &>(b)};
}

template <std::size_t N>
struct Vector : Expression<Vector<N>> {
    double values[N];
    double operator[](std::size_t i) const { return values[i]; }
    template <class E>
    Vector &operator=(const Expression<E> &e)
    {
        for (std::size_t i = 0; i < N; i++)
            values[i] = e[i];
        return *this;
    }
};

static double f(const double *x, int n)
{
    Vector<5> a, b, c;
    for (int i = 0; i < 5; i++) {
        a.values[i] = x[i % n];
        b.values[i] = std::exp(0.3 * x[(i + 1) % n]);
    }
    c = a * b + a * (b + a);
    a = c * c + b;
    double sum = 0;
    for (int i = 0; i < 5; i++)
        sum += a[i] / (1 + i);
    return sum;
}

REQUESTS(f)
