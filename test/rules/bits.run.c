/* Signs that are changed as bits: absolute values, negations and copied signs, of scalars and lanes of vectors. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}

#include "backsweep.h"
#include <emmintrin.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static double float_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
#define SIGN 0x8000000000000000u

static double absolute(double x) { return pow(float_of(bits_of(x) & ~SIGN), 3); }
static double negated(double x) { return x * float_of(bits_of(x) ^ SIGN); }
static double negative(double x) { return pow(float_of(bits_of(x) | SIGN), 3); }
static double copied(double x) { return x * float_of((bits_of(sin(x)) & ~SIGN) | (bits_of(x) & SIGN)); }
static double lanes(double x)
{
    __m128d both = _mm_set_pd(x, 2 * x);
    __m128d size = _mm_andnot_pd(_mm_set1_pd(-0.0), both), other = _mm_xor_pd(both, _mm_set1_pd(-0.0));
    double y[2];
    _mm_storeu_pd(y, _mm_mul_pd(size, _mm_mul_pd(other, both)));
    return y[0] + y[1];
}
static float single(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits &= 0x7fffffffu;
    memcpy(&x, &bits, sizeof x);
    return x * x * x;
}
float __backsweep_gradient_float(void *, ...);

static int failures;
static void expect(const char *what, double found, double wanted)
{
    if (!(fabs(found - wanted) <= 1e-6 * (1 + fabs(wanted)))) {
        printf("%s: %.17g, expected %.17g\n", what, found, wanted);
        failures++;
    }
}
#define CHECK(f, x) expect(#f, __backsweep_gradient((void *)f, x), (f(x + 1e-6) - f(x - 1e-6)) / 2e-6)

int main(void)
{
    for (double x = -1.7; x < 2; x += 0.6) {
        CHECK(absolute, x);
        CHECK(negated, x);
        CHECK(negative, x);
        CHECK(copied, x);
        CHECK(lanes, x);
        expect("single", __backsweep_gradient_float((void *)single, (float)x), 3 * x * fabs(x));
    }
    return failures != 0;
}
