/* Forward mode in many directions: all tangents of a number are computed at once, as a vector, where code computes much with what it loads, and
 * each direction agrees with itself alone. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %include %s -o %t.ll
// RUN: %opt '-passes=print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O3 -march=x86-64-v3 %pass %include %s -o %t.v3 -lm %runtime && %t.v3
// RUN: %clang -O2 -ffast-math %pass %include %s -o %t.fast -lm %runtime && %t.fast
// RUN: env BACKSWEEP_OPTIONS=abreast=always %clang -O2 %pass %include %s -o %t.always -lm %runtime && %t.always
// RUN: env BACKSWEEP_OPTIONS='abreast=always;preaccumulate=always' %clang -O1 %pass %include %s -o %t.local -lm %runtime && %t.local
// RUN: env BACKSWEEP_OPTIONS=disable=abreast %clang -O2 %pass %include %s -o %t.apart -lm %runtime && %t.apart
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

#define N 6
#define WIDTH 7

/* Straight-line code with quotients, roots and choices. */
static void flux(const double *x, double *y)
{
    double r = 1 + x[0] * x[0], u = x[1] / r, p = r * (x[2] - 0.5 * u * u);
    double c = sqrt(1.4 * fabs(p) / r + 0.1), h = (p + x[3]) / r + 0.5 * u * u;
    double l = u - c > 0 ? u - c : 0.5 * (c - u), m = fmax(u, x[4]), n = fmin(u + c, x[5] * r);
    double a = (l * x[3] - m * h) / (c * c), b = r * u * n - a * l;
    y[0] = a * l + b * m + exp(-n * n) * h;
    y[1] = a * l * (u - c) + b * m * u + sin(h) * p;
    y[2] = atan2(a, 1 + b * b) + pow(r, u) + hypot(a, b);
}

/* Of two formats, with a loop that hands on what it has. */
static void mixed(const double *x, double *y)
{
    float s = (float)x[0];
    double t = x[1];
    for (int i = 0; i < N; i++) {
        float v = (float)(x[i] * t) + 0.5f * s;
        s = v > 0 ? sinf(v) * s + 0.25f : cosf(v) - s * s;
        t = 0.5 * t + s * x[(i + 1) % N] / (1 + t * t);
    }
    y[0] = s;
    y[1] = t;
    y[2] = s * t;
}

__attribute__((noinline)) static double kept(double a, double b, const double *x)
{
    double q = 1 + a * a, w = b / q;
    return a > 3 ? w : w * x[0] + (a < 1.5 ? kept(a + 1, w, x + 1) : q * sin(w) - a / (1 + b * b));
}

/* Numbers that go into calls and come out of them. */
static void called(const double *x, double *y)
{
    double a = x[0] * x[1], b = sin(x[2]) - a, c = kept(a, b, x);
    y[0] = kept(c * b, a * a + c, x) * b;
    y[1] = c * c * a + y[0];
    y[2] = remainder(c, 1.5) + ldexp(a * b, 2) + copysign(c, a) * trunc(3 * b);
}

/* Nothing comes of a zero direction, whatever the partial. */
static void singular(const double *x, double *y)
{
    double zero = x[0] - x[0], r = sqrt(zero) * 0 + x[1];
    double s = r * r + x[2] * r - x[3] * x[2] + x[4] / (1 + x[5] * x[5]);
    y[0] = sqrt(s * s) + s;
    y[1] = zero * s;
    y[2] = asin(0.5 + zero) * s;
}

struct pair {
    double a, b;
};

static struct pair twist(struct pair p, double x)
{
    struct pair q = {p.a * cos(x) - p.b * sin(x), p.a * sin(x) + p.b * cos(x)};
    return q;
}

static void structs(const double *x, double *y)
{
    struct pair p = {x[0], x[1]}, all[3];
    for (int i = 0; i < 3; i++) {
        p = twist(p, x[i + 2] * p.a);
        all[i] = p;
    }
    struct pair last = all[(int)fabs(2.5 * x[0]) % 3];
    y[0] = last.a * p.b;
    y[1] = last.b / (2 + p.a * p.a);
    memcpy(&y[2], &all[1].b, sizeof *y);
}

#define CHECK(f)                                                                                                       \
    do {                                                                                                               \
        double d[WIDTH][N], y[3] = {0}, all[WIDTH][3] = {{0}};                                                         \
        for (int w = 0; w < WIDTH; w++)                                                                                \
            for (int i = 0; i < N; i++)                                                                                \
                d[w][i] = w == WIDTH - 1 ? 0 : sin(1.0 + w * N + i);                                                   \
        __backsweep_tangent_void((void *)f, bs_width, WIDTH, bs_dup_strided, sizeof d[0], x, d[0], bs_dup_strided,     \
                                 sizeof all[0], y, all[0]);                                                            \
        for (int w = 0; w < WIDTH; w++) {                                                                              \
            double one[3] = {0};                                                                                       \
            __backsweep_tangent_void((void *)f, x, d[w], y, one);                                                      \
            for (int k = 0; k < 3; k++) {                                                                              \
                if (!(fabs(all[w][k] - one[k]) <= 1e-6 * (1 + fabs(one[k])))) {                                        \
                    printf(#f ": direction %d of y[%d] is %.17g, alone %.17g\n", w, k, all[w][k], one[k]);             \
                    wrong = 1;                                                                                         \
                }                                                                                                      \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

// CHECK-LABEL: plan tangent backsweep.primal.flux
// CHECK: computes the tangents in all directions at once
int main(void)
{
    const double x[N] = {0.4, -0.3, 1.7, 0.6, 0.2, 0.9};
    int wrong = 0;
    CHECK(flux);
    CHECK(mixed);
    CHECK(called);
    CHECK(singular);
    CHECK(structs);
    return wrong;
}
