/* Functions of <complex.h>, of one and of two arguments. */
// RUN: %levels %s double 0.8 1.3 0.4 -0.6
#include "source.h"
#include <complex.h>

static double weigh(double complex z)
{
    return creal(z) * 0.7 - cimag(z) * 1.3;
}

static double f(const double *x, int n)
{
    double complex z = x[0] + x[1] * I, w = x[2] + x[n - 1] * I;
    double sum = weigh(cexp(z)) + weigh(clog(z)) + weigh(csqrt(z)) + weigh(cpow(z, w));
    sum += weigh(csin(z)) + weigh(ccos(w)) + weigh(ctan(w)) + weigh(csinh(w)) + weigh(ccosh(z)) + weigh(ctanh(w));
    sum += weigh(casin(w)) + weigh(cacos(w)) + weigh(catan(w)) + weigh(casinh(w)) + weigh(cacosh(z)) + weigh(catanh(w));
    return sum + cabs(z) * carg(w) + weigh(cproj(z)) + weigh(conj(w * z));
}

REQUESTS(f)
