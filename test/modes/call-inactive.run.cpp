/* Single calls that carry no derivative: of a function that does elsewhere, of one that returns a struct, of one that
 * throws. */
// RUN: %clangxx -O0 %include %pass %s -o %t %runtime && %t
// RUN: %clangxx -O2 %include %pass %s -o %t %runtime && %t
#include <cmath>
#include <cstdio>

#include "backsweep.h"

extern "C" double __backsweep_call_inactive(void *, ...);
extern "C" double __backsweep_gradient_plain(void *, ...);
template <typename R, typename... A> R __enzyme_call_inactive(R (*)(A...), A...);

struct triple { double a, b, c; };
static double square(double x) { return x * x; }
static triple powers(double x) { return {x, x * x, x * x * x}; }
static float narrow(float x, char scale) { return x * scale; }
static double restless(double x) {
    if (x > 0) throw 7;
    return x;
}

static double f(double x) {
    double constant = __backsweep_call_inactive((void *)square, x);
    triple t = __enzyme_call_inactive(powers, x);
    return x * square(x) * constant + t.c * x + __enzyme_call_inactive(narrow, float(x), char(2)) * x;
}

static int near(double a, double b, const char *what) {
    if (std::fabs(a - b) <= 1e-13 * (1 + std::fabs(b))) return 1;
    std::printf("%s: %.15g but %.15g\n", what, a, b);
    return 0;
}

int main() {
    /* The gradient at 2: 3 x^2 c + t.c + n, where c = 4, t.c = 8 and n = 4 are constants. */
    int ok = near(__backsweep_gradient_plain((void *)f, 2.0), 3 * 4 * 4 + 8 + 4, "gradient");
    ok &= near(f(2), 8 * 4 + 8 * 2 + 4 * 2, "the primal");
    try {
        __enzyme_call_inactive(restless, 1.0);
        ok = 0;
    } catch (int thrown) {
        ok &= near(thrown, 7, "what was thrown");
    }
    std::puts(ok ? "all right" : "WRONG");
    return !ok;
}
