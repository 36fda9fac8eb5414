/* Stencils, whose neighbours were read in the pass before: they are handed on from pass to pass where nobody writes there, which tests find out when the
 * program runs. Against forward mode, with rows that overlap at any distance, forwards and backwards, with steps of one and of two. */
// RUN: %clang -O2 -fno-discard-value-names -fno-vectorize -fno-slp-vectorize -fno-unroll-loops %pass %include -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 -lm %runtime && %t.O2
// RUN: %clang -O3 -march=x86-64-v3 %pass %include %s -o %t.v3 -lm %runtime && %t.v3
// RUN: %clang -O3 -march=x86-64-v3 -ffast-math %pass %include %s -o %t.fast -lm %runtime && %t.fast
// RUN: %clang -O1 -fsanitize=address %pass %include %s -o %t.asan -lm %runtime && %t.asan
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

#define CELLS 400

/* Two rows change places. What is read of one is never written in the same pass, if they are apart. */
static void burgers(double *w, long u0, long v0, int n)
{
    double *u = w + u0, *v = w + v0;
    for (int t = 0; t < 4; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] - 0.2 * u[i] * (u[i + 1] - u[i - 1]) + 0.1 * (u[i + 1] - 2 * u[i] + u[i - 1]);
        double *swap = u;
        u = v;
        v = swap;
    }
}

/* Each pass reads what the one before has written: nothing may be handed on but what was written. */
static void in_place(double *w, long u0, long v0, int n)
{
    double *u = w + u0, *v = w + v0;
    for (int t = 0; t < 3; t++)
        for (int i = 2; i < n - 2; i++)
            u[i] = 0.4 * u[i] + 0.1 * u[i - 1] * u[i + 1] + 0.2 * v[i] * v[i - 1] * (u[i - 2] + v[i + 2]);
}

static void backwards(double *w, long u0, long v0, int n)
{
    double *u = w + u0, *v = w + v0;
    for (int t = 0; t < 2; t++)
        for (int i = n - 3; i >= 2; i--)
            v[i] = 0.3 * v[i] * u[i - 2] + 0.2 * u[i] * u[i - 1] - 0.3 * u[i + 1] * u[i + 2];
}

static void by_twos(double *w, long u0, long v0, int n)
{
    double *u = w + u0, *v = w + v0;
    for (int t = 0; t < 2; t++)
        for (int i = 2; i < n - 2; i += 2) {
            v[i] = 0.3 * u[i] * u[i - 2] + 0.3 * u[i + 1];
            v[i + 1] = 0.3 * u[i + 2] * u[i] - 0.3 * v[i] * u[i - 1];
        }
}

/* What lies two rows apart is not met in the next pass, and the last one reads behind nobody's end. */
static void exact(double *w, long u0, long v0, int n)
{
    double *u = w + u0, *v = w + v0;
    for (int i = 0; i + 1 < n; i++)
        v[i] = 0.3 * v[i] + 0.2 * u[i] * u[i + 1];
}

// CHECK-LABEL: define {{.*}}@adjoint_of_burgers(
// CHECK: %again{{.*}} = phi double
#define BOTH(name)                                                                                                      \
    void adjoint_of_##name(double *w, double *dw, long u, long v, int n)                                                \
    {                                                                                                                   \
        __backsweep_gradient_void((void *)name, w, dw, u, v, n);                                                        \
    }                                                                                                                   \
    void tangent_of_##name(double *w, double *dw, long u, long v, int n)                                                \
    {                                                                                                                   \
        __backsweep_tangent_void((void *)name, w, dw, u, v, n);                                                         \
    }
BOTH(burgers)
BOTH(in_place)
BOTH(backwards)
BOTH(by_twos)
BOTH(exact)

typedef void Sweep(double *, double *, long, long, int);

static double numbers[CELLS + 20];

static int check(const char *name, Sweep *adjoint_of, Sweep *tangent_of, long u, long v, int n)
{
    /* As much as is touched and no more, so that a load too many is seen. */
    const long from = u < v ? u : v, cells = (u > v ? u : v) - from + n;
    double *w = malloc(cells * sizeof *w), *forward = malloc(cells * sizeof *w), *adjoint = malloc(cells * sizeof *w);
    double left = 0, right = 0, size = 1;
    memcpy(w, numbers, cells * sizeof *w);
    memcpy(forward, numbers + 7, cells * sizeof *w);
    tangent_of(w, forward, u - from, v - from, n);
    memcpy(w, numbers, cells * sizeof *w);
    memcpy(adjoint, numbers + 13, cells * sizeof *w);
    adjoint_of(w, adjoint, u - from, v - from, n);
    for (int i = 0; i < cells; i++) {
        left += forward[i] * numbers[i + 13];
        right += adjoint[i] * numbers[i + 7];
        size += fabs(adjoint[i] * numbers[i + 7]);
    }
    free(w), free(forward), free(adjoint);
    if (fabs(left - right) <= 1e-12 * size)
        return 1;
    printf("%s at %ld and %ld, %d: %.17g and %.17g\n", name, u, v, n, left, right);
    return 0;
}

#define CHECK(name, u, v, n) check(#name, adjoint_of_##name, tangent_of_##name, u, v, n)

int main(void)
{
    int good = 1;
    for (int i = 0; i < CELLS + 20; i++)
        numbers[i] = sin(12.9898 * i + 4.1414);
    for (int n = 2; n <= 40; n += n < 12 ? 1 : 7)
        for (long at = 100 - n - 2; at <= 100 + n + 2; at++) {
            good = CHECK(burgers, 100, at, n) && good;
            good = CHECK(in_place, 100, at, n) && good;
            good = CHECK(backwards, 100, at, n) && good;
            good = CHECK(by_twos, 100, at, n & ~1) && good;
            good = CHECK(exact, 100, at, n) && good;
        }
    return !good;
}
