/* A fast Fourier transform of complex numbers in place, iterative, with twiddles computed on the way; a filter; the
 * inverse transform. */
// RUN: %levels %s double 0.8 1.3 0.4 -0.6 1.7 0.2 -0.9 0.5
#include "source.h"
#include <complex.h>
#include <math.h>

enum { SIZE = 8 };

static void reverse_bits(double complex *a)
{
    for (int i = 1, j = 0; i < SIZE; i++) {
        int bit = SIZE >> 1;
        for (; j & bit; bit >>= 1)
            j ^= bit;
        j ^= bit;
        if (i < j) {
            double complex kept = a[i];
            a[i] = a[j];
            a[j] = kept;
        }
    }
}

static void transform(double complex *a, int sign)
{
    reverse_bits(a);
    for (int length = 2; length <= SIZE; length *= 2) {
        double complex root = cos(2 * M_PI / length) + I * sign * sin(2 * M_PI / length);
        for (int start = 0; start < SIZE; start += length) {
            double complex w = 1;
            for (int k = 0; k < length / 2; k++) {
                double complex even = a[start + k], odd = w * a[start + k + length / 2];
                a[start + k] = even + odd;
                a[start + k + length / 2] = even - odd;
                w *= root;
            }
        }
    }
}

static double f(const double *x, int n)
{
    double complex a[SIZE];
    for (int i = 0; i < SIZE; i++)
        a[i] = x[i % n] * (1 + 0.5 * I);
    transform(a, 1);
    for (int i = 0; i < SIZE; i++)
        a[i] *= a[i] / (1.0 + i);
    transform(a, -1);
    double sum = 0;
    for (int i = 0; i < SIZE; i++)
        sum += (i + 1) * cabs(a[i]);
    return sum;
}

REQUESTS(f)
