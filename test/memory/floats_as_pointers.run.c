/* Floats that are kept where a program declares pointers, and the other way round: what is copied there is told by who touches
   it, and not by the types. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime -lm && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

/* A table of pointers, the second of which is none. */
static double in_table(const double *x) {
    double c = x[1] * x[1], v = x[0] * 3, w;
    void **a = malloc(4 * sizeof *a), **b = malloc(5 * sizeof *b);
    a[0] = &c;
    memcpy(a + 1, &v, sizeof v);
    memcpy(b + 1, a, 2 * sizeof *a);
    memcpy(&w, b + 2, sizeof w);
    double s = *(double *)b[1] * w;
    free(a);
    free(b);
    return s;
}

struct two {
    void *first, *second;
};

static double in_struct(const double *x) {
    double c = x[1] * x[1];
    struct two a, b;
    a.first = &c;
    *(double *)&a.second = x[0] * 3;
    b = a;
    return *(double *)b.first * *(double *)&b.second;
}

static double in_floats(const double *x) {
    double c = x[1] * x[1], *p = &c, a[4], b[4], *q;
    a[0] = x[0] * 3;
    memcpy(a + 1, &p, sizeof p);
    memcpy(b, a, 2 * sizeof *a);
    memcpy(&q, b + 1, sizeof q);
    return *q * b[0];
}

static int failures;

#define CHECK(f)                                                          \
    do {                                                                  \
        double x[2] = {1, 2}, d[2] = {0};                                 \
        __backsweep_gradient((void *)f, bs_dup, x, d);                    \
        if (!(fabs(d[0] - 12) < 1e-9 && fabs(d[1] - 12) < 1e-9)) {        \
            printf("%s: %g %g for 12 12\n", #f, d[0], d[1]);              \
            failures++;                                                   \
        }                                                                 \
    } while (0)

int main(void) {
    CHECK(in_table);
    CHECK(in_struct);
    CHECK(in_floats);
    return failures != 0;
}
