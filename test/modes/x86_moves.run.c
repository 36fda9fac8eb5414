/* Moves under masks and gathers by the intrinsics of x86; compiled everywhere, run where the machine has them. */
// RUN: %clang -O1 -c %root/test/sources/Inputs/check.c -o %t.check.o
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} -g -mavx2 %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && \
// DEFINE:     { ! grep -qw avx2 /proc/cpuinfo || %t double 0.83 1.31 -0.47 2.13 0.6 1.7 0.2; }
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}
// REDEFINE: %{level} = -O2 -ffast-math
// RUN: %{check}
#include "source.h"
#include <immintrin.h>

/* A sum of squares whose last lanes are outside, and whose middle lanes are stored. */
static double remainders(const double *x, int n)
{
    __m256d sum = _mm256_setzero_pd();
    for (int i = 0; i < n; i += 4) {
        __m256i inside = _mm256_cmpgt_epi64(_mm256_set1_epi64x(n - i), _mm256_set_epi64x(3, 2, 1, 0));
        __m256d v = _mm256_maskload_pd(x + i, inside);
        sum = _mm256_add_pd(sum, _mm256_mul_pd(v, v));
    }
    double kept[4] = {1, 2, 3, 4};
    _mm256_maskstore_pd(kept, _mm256_set_epi64x(0, -1, -1, 0), sum);
    return kept[0] * kept[1] * kept[2] + kept[3] * sum[3];
}

/* Lanes from anywhere, one of them twice, and only the large ones of the second time. */
static double gathered(const double *x)
{
    __m128i at = _mm_set_epi32(6, 1, 5, 1);
    __m256d v = _mm256_i32gather_pd(x, at, 8);
    __m256d large = _mm256_cmp_pd(v, _mm256_set1_pd(1.0), _CMP_GT_OQ);
    __m256d w = _mm256_mask_i64gather_pd(v, x, _mm256_set_epi64x(4, 3, 2, 0), large, 8);
    return v[0] * w[0] + v[1] * w[1] + v[2] * w[2] * w[3];
}

static double f(const double *x, int n) { return remainders(x, n) + gathered(x); }

REQUESTS(f)
