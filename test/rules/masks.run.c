/* Floats that are chosen by the bits of masks, in registers of floats, as integers and by instructions of x86 that have no other
   name; and what those compute besides. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime -lm && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// REDEFINE: %{level} = -O3 -march=x86-64-v3
// RUN: %{check}
#include <immintrin.h>
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

#define SSE4 __attribute__((target("sse4.1")))
typedef double v4 __attribute__((vector_size(32)));
typedef long long m4 __attribute__((vector_size(32)));

static double sum_of(__m128d v) { return v[0] * 2 + v[1]; }

/* `condition ? a : b`, and twice; lanes that go to zero. */
static double by_parts(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i + 3 < n; i++) {
        __m128d a = _mm_loadu_pd(x + i), b = _mm_mul_pd(_mm_loadu_pd(x + i + 2), _mm_set1_pd(1.5));
        __m128d less = _mm_cmplt_pd(a, b), small = _mm_cmple_pd(_mm_mul_pd(a, a), _mm_set1_pd(0.5));
        __m128d least = _mm_or_pd(_mm_and_pd(less, a), _mm_andnot_pd(less, b));
        __m128d other = _mm_or_pd(_mm_andnot_pd(less, a), _mm_and_pd(b, less));
        __m128d both = _mm_and_pd(_mm_and_pd(less, small), b), any = _mm_and_pd(_mm_or_pd(less, small), a);
        sum += sum_of(_mm_mul_pd(least, _mm_add_pd(other, both))) + sum_of(_mm_mul_pd(any, any));
    }
    return sum;
}

/* Masks that are known while compiling: Eigen's LinSpaced puts the last number in place so. */
static double known_lanes(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i + 3 < n; i++) {
        __m128d a = _mm_loadu_pd(x + i), b = _mm_mul_pd(_mm_loadu_pd(x + i + 2), a), lanes = _mm_set_pd(1, 0);
        __m128d less = _mm_cmplt_pd(lanes, _mm_set1_pd(1)), more = _mm_cmplt_pd(_mm_set1_pd(0), lanes);
        __m128d low = _mm_or_pd(_mm_and_pd(less, a), _mm_andnot_pd(less, b));
        __m128d high = _mm_or_pd(_mm_andnot_pd(more, b), _mm_and_pd(more, a));
        __m128d one = _mm_and_pd(_mm_castsi128_pd(_mm_set_epi64x(-1, 0)), _mm_add_pd(low, high));
        sum += sum_of(_mm_mul_pd(low, _mm_add_pd(high, b))) + sum_of(_mm_mul_pd(one, one));
    }
    return sum;
}

/* A mask chooses what has lost its sign, and what a mask has chosen loses its sign: how Eigen finds the largest size or else a NaN. */
static double sizes(const double *x, int n) {
    __m128d unsigned_ = _mm_castsi128_pd(_mm_set1_epi64x(0x7fffffffffffffff)), largest = _mm_setzero_pd();
    double sum = 0;
    for (int i = 0; i + 1 < n; i++) {
        __m128d size = _mm_and_pd(_mm_loadu_pd(x + i), unsigned_), is_number = _mm_cmpeq_pd(size, size);
        __m128d most = _mm_max_pd(size, largest), less = _mm_cmplt_pd(_mm_loadu_pd(x), _mm_loadu_pd(x + i));
        largest = _mm_or_pd(_mm_and_pd(is_number, most), _mm_andnot_pd(is_number, size));
        __m128d chosen = _mm_or_pd(_mm_and_pd(less, _mm_loadu_pd(x + i)), _mm_andnot_pd(less, _mm_loadu_pd(x)));
        sum += sum_of(_mm_and_pd(_mm_mul_pd(_mm_and_pd(chosen, unsigned_), most), unsigned_)) * x[i];
    }
    return sum + sum_of(largest);
}

static v4 clamp_low(v4 v, double least) {
    v4 floor = {least, least, least, least};
    m4 keep = v > floor;
    return (v4)((keep & (m4)v) | (~keep & (m4)floor));
}

static double extended(const double *x, int n) {
    v4 v = {x[0], x[1 % n], x[2 % n], x[3 % n]}, sum = {0};
    for (int i = 0; i < 5; i++) {
        v = clamp_low(clamp_low(v * 0.9 + v * v * 0.1, -0.2 * x[4]), -0.7);
        sum += v / (1 + v * v);
    }
    return sum[0] + sum[1] * sum[2] + 3 * sum[3];
}

SSE4 static double blended(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i + 3 < n; i++) {
        __m128d a = _mm_loadu_pd(x + i), b = _mm_mul_pd(_mm_loadu_pd(x + i + 2), a);
        sum += sum_of(_mm_blendv_pd(a, b, _mm_cmpgt_pd(a, b))) * a[0];
    }
    return sum;
}

SSE4 static double arithmetic(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i + 3 < n; i++) {
        __m128d a = _mm_loadu_pd(x + i), b = _mm_loadu_pd(x + i + 2);
        __m128d s = _mm_addsub_pd(_mm_mul_pd(a, b), b), d = _mm_dp_pd(a, s, 0x31), e = _mm_dp_pd(a, b, 0x12);
        __m128d r = _mm_sub_pd(_mm_mul_pd(a, _mm_set1_pd(4)), _mm_round_pd(_mm_mul_pd(b, _mm_set1_pd(3.1)), _MM_FROUND_FLOOR));
        sum += sum_of(s) + sum_of(_mm_mul_pd(d, r)) + sum_of(_mm_sub_pd(e, b));
    }
    return sum;
}

/* What is done to the first lane only, and asked of it. */
static double first_lanes(const double *x, int n) {
    double sum = 0;
    for (int i = 0; i + 3 < n; i++) {
        __m128d a = _mm_loadu_pd(x + i), b = _mm_loadu_pd(x + i + 2);
        __m128d m = _mm_max_sd(_mm_mul_pd(a, a), b), l = _mm_min_sd(b, _mm_mul_pd(a, b));
        if (_mm_comilt_sd(a, b))
            m = _mm_mul_pd(m, b);
        sum += sum_of(_mm_mul_pd(m, l)) + _mm_movemask_pd(_mm_cmplt_pd(a, b)) * x[i];
    }
    return sum;
}

static double singles(const double *x, int n) {
    float w[6], out[4];
    for (int i = 0; i < 6; i++)
        w[i] = (float)x[i % n];
    __m128 a = _mm_loadu_ps(w), b = _mm_loadu_ps(w + 2), less = _mm_cmplt_ps(a, b);
    _mm_storeu_ps(out, _mm_or_ps(_mm_and_ps(less, _mm_mul_ps(a, b)), _mm_andnot_ps(less, _mm_add_ps(a, b))));
    return out[0] + 2 * out[1] + 3 * out[2] * out[3];
}

static int failures;

static void check(const char *name, double (*f)(const double *, int), const double *d, double *x, int n, double step) {
    for (int i = 0; i < n; i++) {
        double at = x[i];
        x[i] = at + step;
        double up = f(x, n);
        x[i] = at - step;
        double want = (up - f(x, n)) / (2 * step);
        x[i] = at;
        if (!(fabs(d[i] - want) < (step > 1e-4 ? 1e-3 : 1e-6) * (1 + fabs(want)))) {
            printf("%s: %d: %.10g for %.10g\n", name, i, d[i], want);
            failures++;
        }
    }
}

#define CHECK(f, step)                                    \
    do {                                                  \
        double d[6] = {0};                                \
        __backsweep_gradient((void *)f, bs_dup, x, d, 6); \
        check(#f, f, d, x, 6, step);                      \
    } while (0)

int main(void) {
    double x[6] = {0.3, 1.2, -0.6, 0.9, 1.1, -1.3};
    CHECK(by_parts, 1e-6);
    CHECK(known_lanes, 1e-6);
    CHECK(sizes, 1e-6);
    CHECK(extended, 1e-6);
    CHECK(blended, 1e-6);
    CHECK(arithmetic, 1e-6);
    CHECK(first_lanes, 1e-6);
    CHECK(singles, 1e-3);
    return failures != 0;
}
