/* Memory that a program aligns by hand: addresses are rounded as numbers, and are pointers again. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime -lm && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// REDEFINE: %{level} = -O3 -ffast-math
// RUN: %{check}
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "backsweep.h"

/* Up to the next 64 bytes, on the stack and off it. */
static double on_stack(const double *x, int n) {
    char room[8 * 8 + 63];
    double *p = (double *)(((uintptr_t)room + 63) & ~(uintptr_t)63), sum = 0;
    for (int i = 0; i < n; i++)
        p[i] = x[i] * x[i];
    for (int i = 0; i < n; i++)
        sum += p[i] * p[n - 1 - i];
    return sum;
}

static double in_heap(const double *x, int n) {
    char *room = malloc(n * sizeof(double) + 32);
    double *p = (double *)((uintptr_t)room + (-(uintptr_t)room & 31)), sum = 0;
    for (int i = 0; i < n; i++)
        p[i] = i ? p[i - 1] * x[i] : x[i];
    for (int i = 0; i < n; i++)
        sum += sin(p[i]);
    free(room);
    return sum;
}

/* The way libraries do it: what is to be freed stands in front of what is used. */
static double *take(size_t bytes) {
    void *whole = malloc(bytes + 32);
    void *aligned = (void *)(((uintptr_t)whole & ~(uintptr_t)31) + 32);
    ((void **)aligned)[-1] = whole;
    return aligned;
}

static double by_library(const double *x, int n) {
    double *p = take(n * sizeof *p), sum = 0;
    for (int i = 0; i < n; i++)
        p[i] = exp(x[i] * 0.1);
    for (int i = 0; i < n; i++)
        sum += p[i] * p[i] * i;
    free(((void **)p)[-1]);
    return sum;
}

/* Down to where a line begins: the same memory under two names. */
static double by_lines(double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double *line = (double *)((uintptr_t)&x[i] - (uintptr_t)&x[i] % 16);
        line[0] *= 1.5;
        sum += line[0] * x[i];
    }
    return sum;
}

static double by_builtin(const double *x, int n) {
    char room[8 * 8 + 31];
    double *p = __builtin_align_up((double *)room, 32), sum = 0;
    for (int i = 0; i < n; i++)
        p[i] = x[i] * x[i] * x[i];
    for (int i = 0; i < n; i++)
        sum += p[i];
    return sum;
}

static int failures;

static void check(const char *name, double (*f)(double *, int), const double *d, const double *x0, int n) {
    for (int i = 0; i < n; i++) {
        _Alignas(16) double a[8], b[8];
        for (int k = 0; k < n; k++)
            a[k] = b[k] = x0[k];
        a[i] += 1e-6;
        b[i] -= 1e-6;
        double want = (f(a, n) - f(b, n)) / 2e-6;
        if (!(fabs(d[i] - want) < 1e-6 * (1 + fabs(want)))) {
            printf("%s: %d: %.10g for %.10g\n", name, i, d[i], want);
            failures++;
        }
    }
}

#define CHECK(f)                                                                                     \
    do {                                                                                             \
        _Alignas(16) double x[8], d[8] = {0};                                                        \
        for (int i = 0; i < 7; i++)                                                                  \
            x[i] = start[i];                                                                         \
        __backsweep_gradient((void *)f, bs_dup, x, d, 7);                                            \
        check(#f, (double (*)(double *, int))f, d, start, 7);                                        \
    } while (0)

int main(void) {
    const double start[7] = {0.3, 1.2, -0.7, 0.9, 1.1, -1.3, 0.4};
    CHECK(on_stack);
    CHECK(in_heap);
    CHECK(by_library);
    CHECK(by_lines);
    CHECK(by_builtin);
    return failures != 0;
}
