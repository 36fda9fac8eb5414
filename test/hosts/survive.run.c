/* Requests that the passes before ours would damage: two calls merged into one with a `select` of functions,
 * markers that fold to constants, a function that is only called once and would be inlined away. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime && %t
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

#include "backsweep.h"
#include <math.h>
#include <stdio.h>

/* Existing sources declare or define their markers in several ways; all values are equal, only names count.
 * A `const int` with a value is folded by clang itself, see requests/const-marker.reject.c. */
static int enzyme_const = 0;
extern const int enzyme_out;
int enzyme_dup = 0;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static volatile int chosen;
static int failures;

static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
static double product(double x, double y) { return x * x * y; }

static void expect(const char *what, double found, double expected)
{
    if (fabs(found - expected) <= 5e-13 * fmax(1.0, fabs(expected)))
        return;
    printf("%s: found %.17g, expected %.17g\n", what, found, expected);
    failures++;
}

static double branch(int c, double x)
{
    return c ? __backsweep_gradient((void *)square, x) : __backsweep_gradient((void *)cube, x);
}

static double select_argument(int c, double x) { return __backsweep_gradient(c ? (void *)square : (void *)cube, x); }

static double through_local(int c, double x)
{
    double (*f)(double) = square;
    if (c)
        f = cube;
    return __backsweep_gradient((void *)f, x);
}

static double in_loop(double x, int n)
{
    /* The call reads its arguments anew each time; hoisting it would repeat the first gradient. */
    double sum = 0.0;
    for (int i = 0; i < n; ++i)
        sum += __backsweep_gradient((void *)cube, x + i);
    return sum;
}

int main(void)
{
    volatile double point = 3.0;
    double x = point;
    for (chosen = 0; chosen < 2; ++chosen) {
        expect("branch", branch(chosen, x), chosen ? 6.0 : 27.0);
        expect("select", select_argument(chosen, x), chosen ? 6.0 : 27.0);
        expect("local", through_local(chosen, x), chosen ? 27.0 : 6.0);
    }
    expect("loop", in_loop(x, 3), 3.0 * (9.0 + 16.0 + 25.0));
    expect("static marker", __enzyme_autodiff((void *)product, enzyme_const, x, enzyme_out, 2.0), 9.0);
    expect("const marker", __enzyme_autodiff((void *)product, enzyme_out, x, enzyme_const, 2.0), 12.0);
    expect("own marker", __enzyme_fwddiff((void *)product, enzyme_dup, x, 1.0, enzyme_const, 2.0), 12.0);
    expect("constant point", __backsweep_gradient((void *)square, 5.0), 10.0);
    return failures != 0;
}
