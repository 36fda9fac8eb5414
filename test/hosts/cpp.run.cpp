// clang++: the same function as a template in a namespace; hooks are variadic or templates with exact types.
// DEFINE: %{level} =
// DEFINE: %{check} = %clangxx %{level} %include %pass %s -o %t.with %runtime && \
// DEFINE:   %clang -c %stub -o %t.stub.o && \
// DEFINE:   %clangxx %{level} %include %s %t.stub.o -o %t.without -lm && \
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
// REDEFINE: %{level} = -O2 -fno-exceptions -std=c++98 -DTEMPLATE_HOOKS=0
// RUN: %{check}

#include "Inputs/branchy.h"

#ifndef TEMPLATE_HOOKS
#define TEMPLATE_HOOKS 1
#endif

namespace model {
template <class T> T f(T x, T y)
{
    T a = T(1) - x;
    T b = y - x * x;
    T v = a * a + T(100) * b * b;
    if (b > T(0))
        v = v + std::sin(x * y) / (T(1) + y * y);
    else
        v = v * std::exp(T(-0.5) * x) + std::pow(T(1.5) + y * y, x);
    return v;
}
} // namespace model

#if TEMPLATE_HOOKS
// Mangling keeps the hook's name inside the symbol. noexcept, so that calls need no landing pad. A struct
// of three doubles comes back through memory (sret).
template <class Result, class... Arguments>
Result __backsweep_gradient_of(double (*)(double, double), Arguments...) noexcept;

struct value_and_gradient {
    double value, x, y;
};

static int check_templates()
{
    int failures = 0;
    for (int i = 0; i < POINTS; ++i) {
        double x = point_x[i], y = point_y[i];
        pair expected = analytic_gradient(x, y);
        pair g = __backsweep_gradient_of<pair>(model::f<double>, x, y);
        failures += differs("template hook d/dx", g.x, expected.x);
        failures += differs("template hook d/dy", g.y, expected.y);
        value_and_gradient all =
            __backsweep_gradient_of<value_and_gradient>(model::f<double>, bs_primal_return, x, y);
        failures += differs("sret value", all.value, model::f<double>(x, y));
        failures += differs("sret d/dx", all.x, expected.x);
        failures += differs("sret d/dy", all.y, expected.y);
    }
    return failures;
}
#else
static int check_templates() { return 0; }
#endif

// A hook that is not noexcept becomes an `invoke` where something has to be destroyed.
extern "C" pair __backsweep_gradient_pair_invoked(void *, ...);

struct Guard {
    int *destroyed;
    ~Guard() { ++*destroyed; }
};

static int check_invoke()
{
    int failures = 0, destroyed = 0;
    for (int i = 0; i < POINTS; ++i) {
        Guard guard = {&destroyed};
        double x = point_x[i], y = point_y[i];
        pair expected = analytic_gradient(x, y);
        pair g = __backsweep_gradient_pair_invoked((void *)static_cast<double (*)(double, double)>(model::f<double>), x, y);
        failures += differs("invoked d/dx", g.x, expected.x);
        failures += differs("invoked d/dy", g.y, expected.y);
    }
    return failures + (destroyed != POINTS);
}

int main(int argc, char **)
{
    if (argc > 1)
        return print_primal(model::f<double>);
    return (check_requests(model::f<double>) + check_templates() + check_invoke()) != 0;
}
