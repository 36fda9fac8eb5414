/* A vector read from memory that is aligned as its elements are, as Eigen and hand-written SIMD do: neither the shadow's
 * accesses nor the tape's may promise the alignment of the whole vector. movapd on such an address is a crash. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime -lm && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}

#include <math.h>
#include <stdio.h>

#include "backsweep.h"

typedef double pair __attribute__((vector_size(16)));
typedef double loose_pair __attribute__((vector_size(16), aligned(8)));
typedef double byte_pair __attribute__((vector_size(16), aligned(1)));

static double squares(const double *x)
{
    pair a = *(const loose_pair *)x, s = a * a;
    return s[0] + s[1] + x[2];
}

static double products(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; sum < 1e300 && i + 3 < n; i += 2) {
        pair a = *(const byte_pair *)(x + i), b = *(const byte_pair *)(x + i + 2), p = a * b;
        sum += p[0] * sin(p[1]) + sum * 0.5;
    }
    return sum;
}

int main(void)
{
    _Alignas(16) double x[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    _Alignas(16) char place[16 * sizeof(double)];
    for (int i = 0; i < 12; i++)
        x[i] *= 0.125;
    for (int offset = 0; offset < 2; offset++) {
        double dx[12] = {0}, *loose = (double *)(place + 8 * offset);
        for (int i = 0; i < 3; i++)
            loose[i] = 0;
        __backsweep_gradient_void((void *)squares, x + offset, loose);
        if (loose[0] != 2 * x[offset] || loose[1] != 2 * x[offset + 1] || loose[2] != 1)
            return printf("squares, offset %d: %g %g %g\n", offset, loose[0], loose[1], loose[2]);
        __backsweep_gradient_void((void *)products, x + offset, dx + offset, 10);
        for (int i = offset; i < offset + 10; i++) {
            double at = x[i], h = 1e-6, more, less;
            x[i] = at + h;
            more = products(x + offset, 10);
            x[i] = at - h;
            less = products(x + offset, 10);
            x[i] = at;
            if (!(fabs(dx[i] - (more - less) / (2 * h)) < 1e-8))
                return printf("products, offset %d, %d: %g, by differences %g\n", offset, i, dx[i], (more - less) / (2 * h));
        }
    }
    return 0;
}
