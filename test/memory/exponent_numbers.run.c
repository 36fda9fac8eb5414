/* What is made of the sign and the exponent of a float alone, as numbers by their value, is the same in a whole neighbourhood and
   has no derivative: taken from a float, read as an integer from where a float lies, and by the members of a union. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} -fno-strict-aliasing %include %pass %s -o %t %runtime -lm && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O1
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}
// REDEFINE: %{level} = -O2 -ffast-math
// RUN: %{check}
#include "backsweep.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static int exponent_of(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int)((bits >> 52) & 0x7ff) - 1023;
}

static int is_negative(double x) {
    union {
        double value;
        uint64_t bits;
    } pun = {x};
    return pun.bits >> 63;
}

static int signed_exponent(float x) {
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 23;
}

double of_values(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double y = x[i] * x[0];
        sum += exponent_of(y) * y + is_negative(-y) * sin(y) + signed_exponent((float)-y) * y;
    }
    return sum;
}

double of_memory(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (exponent_of(x[i]) + 2) * x[i] * x[i] + is_negative(x[i]) + (double)(*(const int64_t *)&x[i] >> 52);
    return sum;
}

static int differs(double (*f)(const double *, int), const double *dx, const char *name) {
    double x[] = {0.9, 5.1, -0.7, 13.3};
    for (int i = 0; i < 4; i++) {
        double h = 1e-6, at = x[i];
        x[i] = at + h;
        double above = f(x, 4);
        x[i] = at - h;
        double slope = (above - f(x, 4)) / (2 * h);
        x[i] = at;
        if (!(fabs(slope - dx[i]) < 1e-5 * (1 + fabs(slope))))
            return printf("%s, %d: %.12g instead of %.12g\n", name, i, dx[i], slope);
    }
    return 0;
}

int main(void) {
    double x[] = {0.9, 5.1, -0.7, 13.3}, values[4] = {0}, memory[4] = {0}, tangent[4];
    __backsweep_gradient_void((void *)of_values, bs_dup, x, values, bs_const, 4);
    __backsweep_gradient_void((void *)of_memory, bs_dup, x, memory, bs_const, 4);
    for (int i = 0; i < 4; i++) {
        double dx[4] = {0};
        dx[i] = 1;
        tangent[i] = __backsweep_tangent((void *)of_values, bs_dup, x, dx, bs_const, 4);
    }
    return differs(of_values, values, "values") || differs(of_values, tangent, "tangents") ||
           differs(of_memory, memory, "memory");
}
