/* Doubles that are put where a struct declares integers, and come back through registers of integers: no declaration is believed in a
   program that makes registers of floats from numbers, whichever way they have come into memory. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t2.o %clang -g -O2 %include %pass -c %s > %t2.text
// RUN: FileCheck %s < %t2.text
#include <emmintrin.h>
#include <stdlib.h>

#include "backsweep.h"

struct words {
    long first, second;
};

__attribute__((noinline)) static void put(double *p, double a, double b) {
    p[0] = a;
    p[1] = b * b;
}

__attribute__((noinline)) static __m128d get(const struct words *w) {
    // CHECK: registers_of_words.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `insertelement` moves the bits of an active value
    return _mm_castsi128_pd(_mm_set_epi64x(w->first, w->second));
}

static double f(const double *x, int n) {
    struct words *t = calloc(n, sizeof *t), *u = calloc(n, sizeof *u);
    double sum = 0;
    for (int i = 0; i < n; i++)
        put((double *)&t[i], x[i], x[n - 1 - i]);
    for (int i = 0; i < n; i++) {
        u[n - 1 - i].first = t[i].first;
        u[n - 1 - i].second = t[i].second;
    }
    for (int i = 0; i < n; i++) {
        double both[2];
        _mm_storeu_pd(both, get(&u[i]));
        sum += both[0] * both[1] * (i + 1);
    }
    free(t);
    free(u);
    return sum;
}

void gradient(const double *x, double *dx, int n) { __backsweep_gradient((void *)f, bs_dup, x, dx, n); }
