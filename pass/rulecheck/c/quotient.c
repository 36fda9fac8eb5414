/* Values in double and Jacobians in quad of the functions that rules are about. */
#define _GNU_SOURCE
#include <complex.h>
#include <math.h>
#include <quadmath.h>
#include <string.h>

#define T double
#define C _Complex double
#define F(name) name
#define NAME(name) double_##name
#define PI M_PI
#include "functions.inc"
#undef T
#undef C
#undef F
#undef NAME
#undef PI

#define T __float128
#define C __complex128
#define F(name) name##q
#define NAME(name) quad_##name
#define PI M_PIq
#include "functions.inc"

int rulecheck_value(const char *name, const double *x, double *y) { return double_evaluate(name, x, y); }

enum { MOST = 4 };

static __float128 difference(const char *name, const __float128 *x, int operands, int i, int k, __float128 h) {
    __float128 at[MOST], up[MOST], down[MOST];
    memcpy(at, x, sizeof(__float128) * operands);
    at[i] = x[i] + h;
    quad_evaluate(name, at, up);
    at[i] = x[i] - h;
    quad_evaluate(name, at, down);
    return (up[k] - down[k]) / (2 * h);
}

/* The partial of result k in operand i: two central differences, extrapolated, so that the error goes with h^4.
   `noise` is what rounding in quad may have done to it. */
void rulecheck_partial(const char *name, const double *x, int operands, int i, int k, double *partial, double *noise) {
    __float128 at[MOST], y[MOST];
    for (int j = 0; j < operands; j++) at[j] = x[j];
    quad_evaluate(name, at, y);
    __float128 h = x[i] == 0 ? 1e-11q : 1e-11q * fabsq(at[i]);
    __float128 fine = difference(name, at, operands, i, k, h), coarse = difference(name, at, operands, i, k, 2 * h);
    *partial = (double)((4 * fine - coarse) / 3);
    *noise = (double)(fabsq(y[k]) * 4e-34q / h);
}
