/* Neighbours that change places by copies of bytes: where an optimiser came first they are loaded as one vector of integers, shuffled and
   stored. Beside floats there are indices, a float beside an index, and a place that is overwritten between load and store. */
// RUN: %clang -O2 %include -S -emit-llvm %s -o %t.ll && %opt -passes='default<O2>' %t.ll -o %t.bc && %clang %t.bc -o %t %runtime && %t
// RUN: %clang -O3 -march=haswell %include -S -emit-llvm %s -o %t.ll && %opt -passes='default<O2>' %t.ll -o %t.bc && %clang %t.bc -o %t %runtime && %t
// RUN: %clang -O0 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O3 %include %pass %s -o %t %runtime && %t
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

static void swap_bytes(void *a, void *b, size_t n)
{
    char kept[32];
    memcpy(kept, a, n);
    memcpy(a, b, n);
    memcpy(b, kept, n);
}

/* v1 + 2 v0 + 3 v2… of squares */
static double exchanged(const double *x, int n)
{
    double *v = malloc(n * sizeof *v), s = 0;
    for (int i = 0; i < n; i++)
        v[i] = x[i] * x[i];
    swap_bytes(v, v + 1, sizeof *v);
    for (int i = 0; i < n; i++)
        s += (i + 1) * v[i];
    free(v);
    return s;
}

/* Four places go round, two by two. */
static double turned(const double *x, int n)
{
    double v[4], w[4], s = 0;
    for (int i = 0; i < 4; i++)
        v[i] = sin(x[i]);
    for (int round = 0; round < n; round++) {
        memcpy(w, v + 1, 8), memcpy(w + 1, v, 8), memcpy(w + 2, v + 3, 8), memcpy(w + 3, v + 2, 8);
        memcpy(v, w, sizeof v);
        v[0] *= 1.5;
    }
    for (int i = 0; i < 4; i++)
        s += (i + 1) * v[i];
    return s;
}

/* Indices that change places choose what is counted how often. */
static double chosen(const double *x, int n)
{
    long *at = malloc(n * sizeof *at);
    double s = 0;
    for (int i = 0; i < n; i++)
        at[i] = (i + 1) % n;
    swap_bytes(at, at + 1, sizeof *at);
    for (int i = 0; i < n; i++)
        s += (i + 1) * x[at[i]] * x[at[i]];
    free(at);
    return s;
}

struct term {
    double factor;
    long power;
};

/* A float beside an integer, whole. */
static double terms(const double *x, int n)
{
    struct term t[2] = {{x[0] * x[1], 2}, {x[2], 3}};
    swap_bytes(t, t + 1, sizeof *t);
    double s = 0;
    for (int i = 0; i < 2; i++)
        s += (i + 1) * t[i].factor * (double)t[i].power;
    return s * n;
}

/* What is shuffled is what was there before the place was overwritten. */
static double overwritten(const double *x, int n)
{
    double *v = malloc(4 * sizeof *v), w[2];
    for (int i = 0; i < 4; i++)
        v[i] = x[i] * x[i];
    memcpy(w, v + 1, 8);
    memcpy(w + 1, v, 8);
    v[0] = n * x[3];
    memcpy(v + 2, w, sizeof w);
    double s = v[0] + 2 * v[1] + 3 * v[2] + 4 * v[3];
    free(v);
    return s;
}

static int agrees(const char *name, double (*f)(const double *, int), const double *found, const double *x, double along)
{
    int failures = 0;
    double sum = 0;
    for (int i = 0; i < 4; i++) {
        double moved[4], h = 1e-4, difference = 0;
        memcpy(moved, x, sizeof moved);
        moved[i] = x[i] + h, difference += f(moved, 4);
        moved[i] = x[i] - h, difference -= f(moved, 4);
        difference /= 2 * h;
        failures += fabs(found[i] - difference) > 1e-6;
        sum += found[i] * (i + 1);
    }
    failures += fabs(sum - along) > 1e-10;
    if (failures)
        printf("%s: %g %g %g %g, along %g\n", name, found[0], found[1], found[2], found[3], along);
    return failures;
}

#define CHECK(f)                                                                                       \
    do {                                                                                               \
        double d[4] = {0};                                                                             \
        __backsweep_gradient_void((void *)f, bs_dup, x, d, 4);                                         \
        failures += agrees(#f, f, d, x, __backsweep_tangent((void *)f, bs_dup, x, direction, 4));      \
    } while (0)

int main(void)
{
    double x[4] = {0.3, 0.7, -0.2, 1.1}, direction[4] = {1, 2, 3, 4};
    int failures = 0;
    CHECK(exchanged);
    CHECK(turned);
    CHECK(chosen);
    CHECK(terms);
    CHECK(overwritten);
    return failures != 0;
}
