// A function that calls itself and keeps what it has computed in a map by structs. The end of the map is a node without a number, so
// that what is read at a node is read at one of several distances from the object that holds the map, and the function
// tells itself so.
// RUN: %levels %s double 0.53 1.37 0.21 0.83
#include <cmath>
#include <map>
#include <tuple>

#include "source.h"

struct Degree {
    int l, m;
    bool operator<(const Degree &other) const { return std::tie(l, m) < std::tie(other.l, other.m); }
};

struct Legendre {
    double x;
    mutable std::map<Degree, double> memo;

    double operator()(int l, int m) const
    {
        if (auto known = memo.find({l, m}); known != memo.end())
            return known->second;
        double r;
        if (l == m) {
            r = 1;
            for (int i = 1; i <= m; ++i)
                r *= -(2 * i - 1) * std::sqrt(1 - x * x);
        } else if (l == m + 1) {
            r = x * (2 * m + 1) * (*this)(m, m);
        } else {
            r = ((2 * l - 1) * x * (*this)(l - 1, m) - (l + m - 1) * (*this)(l - 2, m)) / (l - m);
        }
        return memo[{l, m}] = r;
    }
};

static double f(const double *x, int n)
{
    Legendre p{std::tanh(x[0]), {}};
    double s = 0;
    for (int l = 0; l < 5; ++l)
        for (int m = 0; m <= l; ++m)
            s += p(l, m) * std::cos(m * x[1 + l % (n - 1)]) / (1 + l * l * l);
    return s * n;
}

REQUESTS(f)
