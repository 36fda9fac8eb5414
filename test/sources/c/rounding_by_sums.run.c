// A large number is added and taken away, which leaves a whole one: of doubles, floats and several at once, from either side, behind a
// barrier that keeps compilers from undoing it, as part of a product and a sum in one. The derivative of what is left is zero, and
// not that of a sum; so is that of the integer in the bits of the sum.
// RUN: %levels %s conditioned 0.7 1.4 -0.6 2.3
#include <math.h>
#include <stdint.h>
#include <string.h>
#include "source.h"

typedef double pair __attribute__((vector_size(16)));

static double kept(double v)
{
    __asm__("" : "+g,x"(v));
    return v;
}

static double fraction(double t)
{
    return t - (kept(t + 0x1.8p52) - 0x1.8p52);
}

static double halves(double t)
{
    return (0x1.8p51 + t) + -0x1.8p51;
}

static float fraction_of_float(float t)
{
    return t - ((t - 0x1p23f) + 0x1p23f);
}

static pair fractions(pair t)
{
    pair large = {0x1p52, 0x1p52};
    return t - ((t + large) - large);
}

/* The exponential by its power of two, which goes into the exponent of a number. */
static double fast_exponential(double t)
{
    union {
        double real;
        int64_t bits;
    } shifted, power;
    shifted.real = t * 1.4426950408889634 + 0x1.8p52;
    int64_t whole = (int32_t)shifted.bits;
    double rest = t - (shifted.real - 0x1.8p52) * 0.6931471805599453;
    power.bits = (whole + 1023) << 52;
    double sum = 1 + rest * (1 + rest * (0.5 + rest * (1. / 6 + rest * (1. / 24 + rest * (1. / 120 + rest * (1. / 720 + rest / 5040))))));
    return sum * power.real;
}

static int nearest(double t)
{
    double shifted = 0x1.8p52 + t;
    int64_t bits;
    memcpy(&bits, &shifted, sizeof bits);
    return (int32_t)bits;
}

static double f(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i + 1 < n; i++) {
        double t = 2.2 * x[i] * x[i + 1];
        pair both = fractions((pair){t * 1.35, x[i] * 1.7});
        sum += fraction(t) * sin(t) + halves(t) * x[i] + both[0] * both[1] + 1e-3 * fraction_of_float((float)t) +
               fast_exponential(0.2 * t) + nearest(t) * x[i] + (0x1.8p52 - (0x1.8p52 - t)) * x[i + 1];
    }
    return sum;
}
REQUESTS(f)
