/* One added to the bits of a float or taken from them gives the next number, whose derivative is that of the number. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime -lm && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

float __backsweep_gradient_float(void *, ...);

static double moved(double x, int up)
{
    int64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits += up ? 1 : -1;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static double above(double x) { return moved(x, 1) * x; }
static double below(double x) { return moved(x * x, 0); }
static double either(double x) { return moved(3 * x, x < 0) * moved(x, x > 0); }
static float single(float x)
{
    float y = x * x;
    uint32_t bits;
    memcpy(&bits, &y, sizeof bits);
    bits--;
    memcpy(&y, &bits, sizeof y);
    return y * x;
}
/* What the function computes is what it computed, at the ends of the numbers, too. */
static double value(double x, int up) { return moved(x, up) + 0 * x; }

static int failures;
static void expect(const char *what, double found, double wanted)
{
    if (!(fabs(found - wanted) <= 1e-6 * (1 + fabs(wanted)))) {
        printf("%s: %.17g, expected %.17g\n", what, found, wanted);
        failures++;
    }
}

int main(void)
{
    for (int i = 0; i < 2; i++) {
        double x = i ? -0.7 : 1.3;
        expect("above", __backsweep_gradient((void *)above, x), 2 * x);
        expect("below", __backsweep_gradient((void *)below, x), 2 * x);
        expect("either", __backsweep_gradient((void *)either, x), 6 * x);
        expect("single", __backsweep_gradient_float((void *)single, (float)x), 3 * x * x);
        expect("value", __backsweep_gradient((void *)value, x, i), 1);
    }
    return failures;
}
