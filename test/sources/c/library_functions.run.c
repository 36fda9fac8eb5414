/* Functions of <math.h> in three formats, with those that store a second result. */
// RUN: %levels %s double 0.8 1.3 0.4 2.1
#define _GNU_SOURCE
#include "source.h"
#include <math.h>

static double f(const double *x, int n)
{
    double whole, s, c;
    int exponent, sign, quotient;
    double sum = modf(x[0] * 3.7, &whole) + frexp(x[1], &exponent) + remquo(x[3], x[2], &quotient);
    sincos(x[0], &s, &c);
    sum += s * c + lgamma_r(x[1], &sign) + whole + exponent + sign + quotient;
    sum += hypot(x[0], x[1]) + cbrt(x[2]) + expm1(x[0]) + log1p(x[1]) + erf(x[2]) + tgamma(x[3]) + fma(x[0], x[1], x[2]);
    sum += fmax(x[0], x[1]) * fmin(x[2], x[3]) + fdim(x[3], x[0]) + copysign(x[0], x[1]) + fmod(x[3], x[2]);
    sum += (double)(sinl(x[0]) * powl(x[1], x[2]) + atan2l(x[1], x[3]));
    sum += ldexp(x[0], 3) + floor(x[1]) * x[2] + round(x[0]) + nearbyint(x[1]) + fabs(-x[2]) + exp2(x[2]) + log10(x[3]);
    return sum + asinh(x[0]) + acosh(1 + x[1]) + atanh(x[2]) + j0(x[n - 1]) + pow(x[1], 3);
}

REQUESTS(f)
