/* A derivative that was made where its file was compiled, and is differentiated once more where the program is linked: what is exactly
 * zero in it may have a tangent. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang_lto %{level} -flto=full %include %pass -DFIRST -c %s -o %t.first.o && \
// DEFINE:   %clang_lto %{level} -flto=full %include -c %s -o %t.second.o && \
// DEFINE:   %clang_lto %{level} -flto=full %link_pass %t.first.o %t.second.o -o %t.linked %runtime -lm && %t.linked
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O1
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// REDEFINE: %{level} = -O3 -march=x86-64-v3
// RUN: %{check}
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

#define N 40

double slope(double x, double y);
void gradient(const double *x, double *dx, const double *w);

#ifdef FIRST

static double product(double x, double y)
{
    return y * exp(x) + y * sqrt(x);
}

double slope(double x, double y)
{
    return __backsweep_gradient((void *)product, x, bs_const, y);
}

/* Passed by where the adjoint of the sum is zero. */
static double unit(const double *x, const double *w)
{
    double a = 0;
    for (int i = 0; i < N; i++)
        a += w[i] * x[i];
    return w[0] > 0.0 ? 0.5 * a * a : 0;
}

void gradient(const double *x, double *dx, const double *w)
{
    __backsweep_gradient_void((void *)unit, x, dx, bs_const, w);
}

#else

int main(void)
{
    double x[N] = {0}, v[N], g[N] = {0}, hv[N] = {0}, w[N], sum = 0;
    const double mixed = __backsweep_tangent((void *)slope, 0.3, 0.0, 0.0, 1.0), expected = exp(0.3) + 0.5 / sqrt(0.3);
    int right = fabs(mixed - expected) < 1e-12;
    for (int i = 0; i < N; i++)
        v[i] = 1 + 0.1 * i, w[i] = cos(i), sum += w[i] * v[i];
    __backsweep_tangent_void((void *)gradient, x, v, g, hv, bs_const, w);
    for (int i = 0; i < N; i++)
        right &= fabs(hv[i] - sum * w[i]) < 1e-12 * (1 + fabs(sum));
    printf("%.15g (%.15g), %.15g (%.15g)\n", mixed, expected, hv[1], sum * w[1]);
    return !right;
}

#endif
