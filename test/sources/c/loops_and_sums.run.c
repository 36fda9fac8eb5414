/* The hooks under the names that existing sources use: scalars, pointers, constants, and a result that is stored. */
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#include "source.h"
#include <math.h>

static double log_sum_exp(const double *x, int n)
{
    double top = x[0], sum = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > top)
            top = x[i];
    for (int i = 0; i < n; i++)
        sum += exp(x[i] - top);
    return top + log(sum);
}

static void scale_into(double *out, const double *in, double factor, int n)
{
    for (int i = 0; i < n; i++)
        out[i] = factor * in[i] * in[(i + 1) % n];
}

static double scalar(double a, double b)
{
    double value = a;
    while (value < 10)
        value = value * value + b;
    return log(value);
}

double primal(const double *x, int n)
{
    double out[64], sum = 0;
    scale_into(out, x, 1.5, n);
    for (int i = 0; i < n; i++)
        sum += (i + 1) * out[i];
    return log_sum_exp(x, n) + sum + scalar(x[1], x[0]);
}

void gradient(const double *x, double *dx, int n)
{
    double out[64], seed[64];
    for (int i = 0; i < n; i++)
        seed[i] = i + 1;
    __enzyme_autodiff_void((void *)log_sum_exp, enzyme_dup, x, dx, enzyme_const, n);
    __enzyme_autodiff_void((void *)scale_into, enzyme_dupnoneed, out, seed, enzyme_dup, x, dx, enzyme_const, 1.5, n);
    dx[1] += __enzyme_autodiff((void *)scalar, enzyme_out, x[1], enzyme_const, x[0]);
    dx[0] += __enzyme_autodiff((void *)scalar, enzyme_const, x[1], x[0]);
}

double tangent(const double *x, const double *dx, int n)
{
    double out[64], dout[64] = {0}, sum = 0;
    __enzyme_fwddiff_void((void *)scale_into, out, dout, x, dx, enzyme_const, 1.5, n);
    for (int i = 0; i < n; i++)
        sum += (i + 1) * dout[i];
    sum += __enzyme_fwddiff((void *)scalar, enzyme_dup, x[1], dx[1], x[0], dx[0]);
    return sum + __enzyme_fwddiff((void *)log_sum_exp, x, dx, n);
}
