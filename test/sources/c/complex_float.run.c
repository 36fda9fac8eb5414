/* Complex numbers in single precision: the same helpers with other names, and two floats that travel in one vector. */
// RUN: %levels %s float 0.8 1.3 0.4 -0.6
#include "source.h"
#include <complex.h>

static float complex step(float complex z, float complex w)
{
    return z * w / (2.0f + cexpf(w)) + csqrtf(z) - clogf(w * w + 3.0f);
}

static double f(const double *x, int n)
{
    float complex z = (float)x[0] + (float)x[1] * I, w = (float)x[2] + (float)x[3] * I;
    for (int k = 0; k < n; k++)
        z = step(z, w) + 0.3f * cpowf(z, w);
    return crealf(z) * cargf(z) + cabsf(z) + cimagf(csinf(w) * conjf(z)) + crealf(ctanhf(w));
}

REQUESTS(f)
