/* clang: the gradient is the analytic one and the primal is untouched, at every -O level. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t.with %runtime && \
// DEFINE:   %clang %{level} %include %s %stub -o %t.without -lm && \
// DEFINE:   %same_primal %t.with %t.without
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O1
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}
// REDEFINE: %{level} = -Os
// RUN: %{check}
// REDEFINE: %{level} = -O2 -g
// RUN: %{check}

#include "Inputs/branchy.h"

double f(double x, double y)
{
    double a = 1.0 - x;
    double b = y - x * x;
    double v = a * a + 100.0 * b * b;
    if (b > 0.0)
        v = v + sin(x * y) / (1.0 + y * y);
    else
        v = v * exp(-0.5 * x) + pow(1.5 + y * y, x);
    return v;
}

int main(int argc, char **argv)
{
    (void)argv;
    return argc > 1 ? print_primal(f) : check_requests(f);
}
