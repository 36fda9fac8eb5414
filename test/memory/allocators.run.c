/* What the C library allocates under other names than malloc. */
// RUN: %levels %s double 0.83 1.31 -0.47 2.13
#define _GNU_SOURCE
#include "source.h"
#include <malloc.h>
#include <math.h>
#include <stdlib.h>

static double f(const double *x, int n)
{
    double *aligned = memalign(64, n * sizeof *aligned), *page = valloc(n * sizeof *page), *grown = NULL;
    for (int i = 0; i < n; i++) {
        aligned[i] = exp(0.3 * x[i]);
        page[n - 1 - i] = aligned[i] * x[i];
        grown = reallocarray(grown, i + 1, sizeof *grown);
        grown[i] = x[i] * x[0];
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += aligned[i] * page[i] + grown[i] * grown[n - 1 - i];
    free(aligned);
    free(page);
    free(grown);
    return sum;
}

REQUESTS(f)
