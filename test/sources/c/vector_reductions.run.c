/* Vectors folded into their largest and smallest lane, and into products. */
// RUN: %levels %s double 0.83 1.31 -0.47 2.13
#include "source.h"
#include <math.h>

typedef double four __attribute__((ext_vector_type(4)));
typedef float two __attribute__((ext_vector_type(2)));

static double f(const double *x, int n)
{
    four v = {x[0] * x[1], x[1] + 1, x[2 % n], sin(x[3 % n])};
    four w = v * v + x[0];
    double largest = __builtin_reduce_max(v), smallest = __builtin_reduce_min(v);
    double strict = __builtin_reduce_maximum(w) - __builtin_reduce_minimum(w) * x[1];
    double product = 1;
    for (int i = 0; i < 4; i++)
        product *= w[i];
    two narrow = {(float)n, (float)n + 1};
    return largest * largest + exp(smallest) + strict + product + __builtin_reduce_max(narrow);
}

REQUESTS(f)
