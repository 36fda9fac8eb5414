/* Inline assembly that can be told: one packed instruction, nothing at all, and numbers that have nothing to do with it. And
   lanes of floats that are shuffled as integers. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime -lm && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// REDEFINE: %{level} = -O3 -march=x86-64-v3
// RUN: %{check}
#include <emmintrin.h>
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

static __m128d least(__m128d a, __m128d b) {
    __m128d r = b;
    __asm__("minpd %1, %0" : "+x"(r) : "x"(a));
    return r;
}

static double bounded(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i + 1 < n; i += 2) {
        __m128d v = _mm_loadu_pd(x + i), w = least(_mm_mul_pd(v, v), _mm_set1_pd(0.5));
        sum += w[0] * 3 + w[1];
    }
    return sum;
}

static double greatest(const double *x, int n) {
    double m = x[0];
    for (int i = 1; i < n; i++)
        __asm__("maxsd %1, %0" : "+x"(m) : "x"(x[i]));
    return m * m;
}

static double root(const double *x, int n) {
    __m128d sum = _mm_setzero_pd();
    for (int i = 0; i < n; i++) {
        __m128d v = _mm_set1_pd(x[i] * x[i] + 1), r;
        __asm__("sqrtpd %1, %0" : "=x"(r) : "x"(v));
        sum = _mm_add_pd(sum, r);
    }
    return sum[0] * sum[1];
}

/* What keeps optimisers from moving or removing something. */
static double kept(const double *x, int n) {
    double sum = 0, product = 1;
    for (int i = 0; i < n; i++) {
        double v = x[i] * x[i];
        __asm__ volatile("# a comment" : "+x"(v));
        sum += v;
        __asm__ volatile("" : "+m"(product));
        product *= 1 + 0.1 * v;
        __asm__ volatile("" ::: "memory");
    }
    return sum * product;
}

static int leaf(void) {
    int a, b, c, d;
    __asm__ volatile("xchgq %%rbx, %q1; cpuid; xchgq %%rbx, %q1" : "=a"(a), "=&r"(b), "=c"(c), "=d"(d) : "0"(0), "2"(0));
    return a >= 0;
}

static double by_machine(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += leaf() ? x[i] * x[i] : x[i];
    return sum;
}

static double shuffled(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i + 1 < n; i += 2) {
        __m128i bits = _mm_castpd_si128(_mm_loadu_pd(x + i));
        __m128d both = _mm_castsi128_pd(_mm_shuffle_epi32(bits, _MM_SHUFFLE(1, 0, 3, 2)));
        __m128d first = _mm_castsi128_pd(_mm_unpacklo_epi64(bits, bits));
        __m128d v = _mm_mul_pd(_mm_mul_pd(both, first), _mm_set_pd(2, 3));
        sum += v[0] + v[1];
    }
    return sum;
}

static int failures;

static void check(const char *name, double (*f)(const double *, int), const double *d, double *x, int n) {
    for (int i = 0; i < n; i++) {
        double at = x[i];
        x[i] = at + 1e-6;
        double up = f(x, n);
        x[i] = at - 1e-6;
        double want = (up - f(x, n)) / 2e-6;
        x[i] = at;
        if (!(fabs(d[i] - want) < 1e-6 * (1 + fabs(want)))) {
            printf("%s: %d: %.10g for %.10g\n", name, i, d[i], want);
            failures++;
        }
    }
}

#define CHECK(f)                                          \
    do {                                                  \
        double d[6] = {0};                                \
        __backsweep_gradient((void *)f, bs_dup, x, d, 6); \
        check(#f, f, d, x, 6);                            \
    } while (0)

int main(void) {
    double x[6] = {0.3, 1.2, -0.6, 0.9, 1.1, -1.3};
    CHECK(bounded);
    CHECK(greatest);
    CHECK(root);
    CHECK(kept);
    CHECK(by_machine);
    CHECK(shuffled);
    return failures != 0;
}
