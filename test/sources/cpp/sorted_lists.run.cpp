// Lists that are sorted, merged, exchanged and thinned out, each by moving nodes.
// RUN: %levels %s double 0.83 1.31 -0.47 2.13
#include "source.h"
#include <cmath>
#include <list>

static double f(const double *x, int n)
{
    std::list<double> some(x, x + n), others;
    for (int i = 0; i < n; i++)
        others.push_front(std::sin(x[i]));
    some.sort();
    others.sort();
    some.merge(others);
    std::list<double> empty;
    some.swap(empty);
    empty.remove_if([](double v) { return v < -0.3; });
    empty.swap(some);
    double sum = 1;
    for (double v : some)
        sum = sum * v + v;
    return sum * some.front();
}

REQUESTS(f)
