// RUN: %levels %s double 0.8 1.3 -0.4 2.1
// Floats that are taken to pieces as integers and put together again, with their signs changed on the way or their exponents.
#include "source.h"
#include <stdint.h>
#include <string.h>

typedef union { double real; uint64_t bits; struct { uint32_t low, high; }; } Cell;
typedef union { float real; uint32_t bits; struct { uint16_t low, high; }; } Small;

static double in_halves(double v) {
    Cell c = {v}, h = {.low = c.low, .high = c.high};
    return h.real;
}
static double negated(double v) {
    Cell c = {v};
    c.high ^= 0x80000000u;
    return c.real;
}
static double size(double v) {
    Cell c = {v};
    c.high &= 0x7fffffffu;
    return c.real;
}
static double less_than_size(double v) {
    Cell c = {v};
    uint64_t low = c.bits & 0xffffffffu, high = c.bits >> 32;
    c.bits = (high | 0x80000000u) << 32 | low;
    return c.real;
}
static float small(float v) {
    Small c = {v}, h;
    h.high = c.high ^ 0x8000;
    h.low = c.low;
    return h.real;
}
/* Never a float on the way from memory. */
static double from_memory(const double *x) {
    uint64_t bits;
    memcpy(&bits, x, 8);
    bits &= 0x7fffffffffffffffull;
    double d;
    memcpy(&d, &bits, 8);
    return d;
}
/* Steps of the exponent; zero becomes the least number that has so many. */
static double times_four(double v) {
    uint64_t bits;
    memcpy(&bits, &v, 8);
    bits += (uint64_t)2 << 52;
    memcpy(&v, &bits, 8);
    return v;
}
static float half(float v) {
    Small c = {v};
    c.bits -= 1u << 23;
    return c.real;
}
static double f(const double *x, int n) {
    double s = 0;
    for (int i = 0; i < n; i++) {
        double v = x[i] * x[(i + 1) % n];
        s += in_halves(v) * x[0] + negated(v * v) * x[1] + size(v) * x[2] + less_than_size(v) * v * v;
        s += from_memory(x + i) * v + (double)small(0.5f) * v;
        s += times_four(v) * x[i] + half(0.75f) * v + times_four(0.0) + times_four(1e-310 * 0.5) * v;
    }
    return s;
}
REQUESTS(f)
