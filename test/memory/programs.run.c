/* Random programs that copy structs, at every level, in reverse and forward mode and against central differences; see
   Inputs/programs.py. The seeds are fixed, so that a failure is found again. Left out
   are those that are refused: they copy padding into memory of others, where it might be a float. */
// RUN: python3 %S/Inputs/programs.py 1 2 3 4 6 7 8 10 11 12 14 15 > %t.h
// RUN: for level in -O0 -O1 -O2 -O3; do %clang $level -DPROGRAMS='"%t.h"' %include -fpass-plugin=%plugin %s -o %t %runtime && %t || exit 1; done
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

enum { N = 6 };

static void set(double *x, double start, double along) {
    for (int i = 0; i < N; i++) x[i] = start * (0.4 + 0.15 * i) + along * (1 - 0.25 * i);
}

static double dot(const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < N; i++) sum += a[i] * b[i];
    return sum;
}

static int compare(int seed, const char *what, double found, double expected, double tolerance) {
    if (fabs(found - expected) <= tolerance * (1 + fabs(expected))) return 0;
    printf("program %d, %s: %.12g, expected %.12g\n", seed, what, found, expected);
    return 1;
}

/* The derivative in one direction: forward mode, reverse mode times the direction, and a difference quotient. */
#define TRY(SEED, PRECISE)                                                                          \
    static double at##SEED(double along) {                                                          \
        double x[N];                                                                                \
        struct s##SEED p[N];                                                                        \
        set(x, 1, along), set##SEED(p, x, 1, along);                                                \
        return f##SEED(x, p, 4);                                                                    \
    }                                                                                               \
    static int try##SEED(void) {                                                                    \
        double x[N], d[N], g[N] = {0}, h = PRECISE ? 1e-6 : 4e-3;                                   \
        struct s##SEED p[N], q[N], r[N];                                                            \
        memset(p, 0, sizeof p), memset(q, 0, sizeof q), memset(r, 0, sizeof r);                     \
        set(x, 1, 0), set(d, 0, 1), set##SEED(p, x, 1, 0), set##SEED(q, d, 0, 1);                   \
        double forward = __backsweep_tangent(f##SEED, bs_dup, x, d, bs_dup, p, q, 4);               \
        set(x, 1, 0), set(d, 0, 1), set##SEED(p, x, 1, 0), set##SEED(q, d, 0, 1);                   \
        set##SEED(r, g, 0, 0);                                                                      \
        __backsweep_gradient_void(f##SEED, bs_dup, x, g, bs_dup, p, r, 4);                          \
        double reverse = dot(g, d) + dot##SEED(r, q);                                               \
        double difference = (at##SEED(h) - at##SEED(-h)) / (2 * h);                                 \
        return compare(SEED, "reverse", reverse, forward, PRECISE ? 1e-9 : 1e-4) |                  \
               compare(SEED, "forward", forward, difference, PRECISE ? 1e-5 : 1e-1);                \
    }

#include PROGRAMS

int main(void) {
    int wrong = 0;
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) wrong |= programs[i]();
    return wrong;
}
