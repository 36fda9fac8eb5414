/* C's own complex numbers: products and quotients, which the compiler may leave to `__muldc3` and `__divdc3`. */
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#include "source.h"
#include <complex.h>

static double complex mobius(double complex z, double complex a)
{
    return (z - a) / (1 - conj(a) * z);
}

static double f(const double *x, int n)
{
    double complex z = x[0] + x[1] * I, a = x[2] + x[3] * I, sum = 0;
    for (int k = 0; k < n; k++) {
        z = mobius(z, a / (k + 2)) * (1 + 0.1 * z);
        sum += z * z * creal(a) + cimag(z) * I;
    }
    return creal(sum) + 2 * cimag(sum) + creal(z / a);
}

REQUESTS(f)
