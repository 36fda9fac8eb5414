/* Second and third derivatives: a hook inside a function that another hook differentiates, in every order of modes. */
// DEFINE: %{flags} =
// DEFINE: %{check} = %clang %{flags} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{flags} = -O0
// RUN: %{check}
// REDEFINE: %{flags} = -O2 -g
// RUN: %{check}
// RUN: env BACKSWEEP_OPTIONS=resident=always %{check}

#include "backsweep.h"
#include <math.h>
#include <stdio.h>

static double f(double x) { return x > 0 ? sin(x * x) + x * x * x : exp(x); }

static double by_gradient(double x) { return __backsweep_gradient((void *)f, x); }
static double by_tangent(double x) { return __backsweep_tangent((void *)f, x, 1.0); }
static double twice_gradient(double x) { return __backsweep_gradient((void *)by_gradient, x); }
static double twice_tangent(double x) { return __backsweep_tangent((void *)by_tangent, x, 1.0); }
static double tangent_of_gradient(double x) { return __backsweep_tangent((void *)by_gradient, x, 1.0); }
static double gradient_of_tangent(double x) { return __backsweep_gradient((void *)by_tangent, x); }

/* Newton's method on f'(x) = 4: hooks inside a loop that is itself differentiated, with the start as the input. */
static double steps(double x, double target)
{
    for (int i = 0; i < 3; i++)
        x -= (by_tangent(x) - target) / twice_tangent(x);
    return x;
}

static int failures;
static void expect(int line, double found, double expected, double tolerance)
{
    if (fabs(found - expected) <= tolerance * fmax(1.0, fabs(expected)))
        return;
    printf("line %d: found %.17g, expected %.17g\n", line, found, expected);
    failures++;
}
#define EXPECT(found, expected) expect(__LINE__, (found), (expected), 1e-12)

int main(void)
{
    volatile double point = 1.3;
    double x = point, u = x * x;
    double first = 2 * x * cos(u) + 3 * x * x;
    double second = 2 * cos(u) - 4 * u * sin(u) + 6 * x;
    double third = -12 * x * sin(u) - 8 * x * u * cos(u) + 6;
    EXPECT(by_gradient(x), first);
    EXPECT(by_tangent(x), first);
    EXPECT(twice_gradient(x), second);
    EXPECT(twice_tangent(x), second);
    EXPECT(tangent_of_gradient(x), second);
    EXPECT(gradient_of_tangent(x), second);
    EXPECT(__backsweep_gradient((void *)twice_gradient, x), third);
    EXPECT(__backsweep_tangent((void *)twice_gradient, x, 1.0), third);
    EXPECT(__backsweep_gradient((void *)twice_tangent, x), third);
    EXPECT(__backsweep_tangent((void *)twice_tangent, x, 1.0), third);
    EXPECT(__backsweep_gradient((void *)gradient_of_tangent, x), third);
    EXPECT(__backsweep_tangent((void *)tangent_of_gradient, x, 1.0), third);
    EXPECT(twice_gradient(-x), exp(-x));

    double along = __backsweep_tangent((void *)steps, x, 1.0, bs_const, 4.0);
    EXPECT(__backsweep_gradient((void *)steps, x, bs_const, 4.0), along);
    expect(__LINE__, along, (steps(x + 1e-5, 4) - steps(x - 1e-5, 4)) / 2e-5, 1e-6);
    return failures != 0;
}
