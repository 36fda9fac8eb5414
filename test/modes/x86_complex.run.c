/* Products of complex numbers as AVX-512 has them: differences and sums in turns, fused with a product; compiled everywhere, run where the machine
 * has them. */
// RUN: %clang -O1 -c %root/test/sources/Inputs/check.c -o %t.check.o
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} -g -mavx512f %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && \
// DEFINE:     { ! grep -qw avx512f /proc/cpuinfo || %t double 0.83 1.31 -0.47 2.13 0.6 1.7 0.2 0.9; }
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}
#include "source.h"
#include <immintrin.h>

/* The squares of four complex numbers, and in the lanes of a mask what was there before. */
static double f(const double *x, int n)
{
    __m512d v = _mm512_loadu_pd(x), turned = _mm512_permute_pd(v, 0x55);
    __m512d real = _mm512_movedup_pd(v), imaginary = _mm512_permute_pd(v, 0xff);
    __m512d squares = _mm512_fmaddsub_pd(real, v, _mm512_mul_pd(imaginary, turned));
    __m512d others = _mm512_mask_fmsubadd_pd(squares, 0x3c, v, turned);
    double out[8], sum = 0;
    _mm512_storeu_pd(out, _mm512_mul_pd(squares, others));
    for (int i = 0; i < n; i++)
        sum += out[i] * (i + 1);
    return sum;
}

REQUESTS(f)
