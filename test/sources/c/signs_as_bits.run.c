// RUN: %levels %s double 0.8 1.3 -0.4 2.1
// Signs that are changed, copied and asked for as bits, by masks that are constants or known when the program runs; bits compared.
#include "source.h"
#include <stdint.h>
#include <string.h>
static double negate_if(double v, int c) { union { double d; uint64_t u; } w = {v}; w.u ^= (uint64_t)(c & 1) << 63; return w.d; }
static double multiply_sign(double a, double b) { uint64_t p, q; memcpy(&p, &a, 8); memcpy(&q, &b, 8); p ^= q & 0x8000000000000000ULL; memcpy(&a, &p, 8); return a; }
static float negate_float(float v, unsigned c) { uint32_t b; memcpy(&b, &v, 4); b |= c << 31; memcpy(&v, &b, 4); return v; }
static double fast_abs(double v) { uint64_t b; memcpy(&b, &v, 8); b &= ~(1ULL << 63); memcpy(&v, &b, 8); return v; }
static int is_negative(double v) { uint64_t b; memcpy(&b, &v, 8); return (int)(b >> 63); }
static double copy_sign(double a, double b) { uint64_t p, q; memcpy(&p, &a, 8); memcpy(&q, &b, 8); p = (p & 0x7fffffffffffffffULL) | (q & 0x8000000000000000ULL); memcpy(&a, &p, 8); return a; }
static int64_t key(double v) { int64_t b; memcpy(&b, &v, 8); return b ^ ((b >> 63) & 0x7fffffffffffffffLL); }
#ifdef __SSE2__
#include <emmintrin.h>
/* Each pass fills the mask anew. */
static double by_masks(const double *x, int n)
{
    double s = 0;
    for (int i = 0; i + 1 < n; i++) {
        const double mask[2] = {-0.0, 0.0};
        double v[2];
        _mm_storeu_pd(v, _mm_xor_pd(_mm_loadu_pd(x + i), _mm_loadu_pd(mask)));
        s += v[0] * v[0] * (i + 1) + v[0] * v[1];
    }
    return s;
}
#else
static double by_masks(const double *x, int n) { return x[n - 1]; }
#endif
static double f(const double *x, int n)
{
    double s = by_masks(x, n) + (double)negate_float(1.5f, n & 1) * x[0];
    for (int i = 0; i < n; i++) {
        double v = x[i] * x[(i + 1) % n];
        s += negate_if(x[i] * x[i], i) + multiply_sign(x[i] * x[0], x[(i + 2) % n]) * x[1];
        s += fast_abs(v) * 2 + copy_sign(x[i] * x[i], x[(i + 2) % n]);
        if (is_negative(x[i]))
            s += 3 * x[i];
        if (key(x[i]) < key(x[(i + 1) % n]))
            s += v * v * v;
    }
    return s;
}
REQUESTS(f)
