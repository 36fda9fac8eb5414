// A large number is added and taken away, which leaves a whole one: of doubles, floats and several at once, from either side, behind a
// barrier that keeps compilers from undoing it. The derivative of what is left is zero, and not that of a sum.
// RUN: %levels %s conditioned 0.7 1.4 -0.6 2.3
#include <math.h>
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

static double f(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i + 1 < n; i++) {
        double t = 2.2 * x[i] * x[i + 1];
        pair both = fractions((pair){t * 1.35, x[i] * 1.7});
        sum += fraction(t) * sin(t) + halves(t) * x[i] + both[0] * both[1] + 1e-3 * fraction_of_float((float)t);
    }
    return sum;
}
REQUESTS(f)
