/* Numbers that are made of a float's bits, as guesses of logarithms are: read as an integer from where a float lies, whatever
 * becomes of it in between, and from a float itself. */
// RUN: %refused %t.o %clang -g -O0 -fno-strict-aliasing %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clang -g -O2 -fno-strict-aliasing %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
#include <stdint.h>
#include <string.h>

#include "backsweep.h"

double mantissa(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        int64_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        // CHECK-DAG: bit_numbers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `cast {{[su]}}itofp` makes a number of the bits of an active value
        sum += (double)(bits & 0xfffffffffffffLL) * 0x1p-52 + x[i] * x[i];
    }
    return sum;
}

double seen_through(const float *x)
{
    // CHECK-DAG: bit_numbers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `cast uitofp` makes a number of the bits of an active value
    return (float)*(const uint32_t *)x * 0x1p-23f + x[0] * x[0];
}

double logarithm(double x)
{
    double squared = x * x;
    union {
        double value;
        int64_t bits;
    } pun = {squared};
    // CHECK-DAG: bit_numbers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `cast sitofp` makes a number of the bits of an active value
    return (double)pun.bits * 0x1p-52 + x;
}

double exponent(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        int64_t bits, product;
        memcpy(&bits, &x[i], sizeof bits);
        if (__builtin_mul_overflow(bits, 3, &product))
            product = 0;
        // CHECK-DAG: bit_numbers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `cast {{[su]}}itofp` makes a number of the bits of an active value
        sum += (double)product * 0x1p-52 + x[i] * x[i];
    }
    return sum;
}

__attribute__((noinline)) double scaled(int64_t bits, double x, int depth)
{
    return depth == 0 ? (double)bits * x : scaled(bits, 0.5 * x, depth - 1);
}

double given(const double *x)
{
    int64_t bits;
    memcpy(&bits, &x[0], sizeof bits);
    // CHECK-DAG: bit_numbers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the call of `scaled` {{.*}} the bits of an active value
    return scaled(bits, x[1], 3);
}

double only_bits(const float *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &x[i], sizeof bits);
        // CHECK-DAG: bit_numbers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `cast uitofp` makes a number of the bits of an active value
        sum += (double)bits * 0x1p-23;
    }
    return sum;
}

/* The lower half alone would be an integer that shares a word with doubles, or a rounded number. */
double both_halves(const double *x)
{
    union {
        double value;
        uint32_t halves[2];
    } u = {x[0] * x[0]};
    // CHECK-DAG: bit_numbers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `cast uitofp` makes a number of the bits of an active value
    double upper = u.halves[1];
    return (upper * 0x1p32 + u.halves[0]) * 0x1p-52 + x[0];
}

/* Halves of floats are whole floats to others. */
double pairs_of_floats(const float *x)
{
    union {
        double both;
        float floats[2];
        uint32_t bits[2];
    } u;
    u.floats[0] = x[0] * x[0];
    u.floats[1] = x[1];
    double moved = u.both;
    u.both = moved;
    // CHECK-DAG: bit_numbers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `cast uitofp` makes a number of the bits of an active value
    return u.bits[0] * 0x1p-23 + u.floats[1];
}

double differentiate(double *x, double *dx, float *y, float *dy)
{
    __backsweep_gradient((void *)both_halves, bs_dup, x, dx);
    __backsweep_gradient((void *)pairs_of_floats, bs_dup, y, dy);
    __backsweep_gradient((void *)mantissa, bs_dup, x, dx, 3);
    __backsweep_gradient((void *)seen_through, bs_dup, y, dy);
    __backsweep_gradient((void *)exponent, bs_dup, x, dx, 3);
    __backsweep_gradient((void *)given, bs_dup, x, dx);
    __backsweep_gradient((void *)only_bits, bs_dup, y, dy, 3);
    return __backsweep_gradient((void *)logarithm, x[0]);
}
