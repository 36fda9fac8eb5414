/* A function that calls itself returns a struct in registers of integers, in one of which are the bits of a double. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t2.o %clang -g -O2 %include %pass -c %s > %t2.text
// RUN: FileCheck %s < %t2.text
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

struct tagged {
    int tag;
    long payload;
};

static struct tagged number(double d) {
    struct tagged t = {1, 0};
    memcpy(&t.payload, &d, sizeof d);
    return t;
}

static double value(struct tagged t) {
    double d;
    memcpy(&d, &t.payload, sizeof d);
    return d;
}

static struct tagged fold(const struct tagged *t, int n) {
    if (n == 1)
        return t[0];
    struct tagged first = fold(t, n / 2), second = fold(t + n / 2, n - n / 2);
    return number(value(first) * value(second) + value(first));
}

static double f(const double *x, int n) {
    struct tagged *t = malloc(n * sizeof *t);
    for (int i = 0; i < n; i++)
        t[i] = number(x[i]);
    // CHECK: bits_in_returned_structs.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the call of `fold` returns the bits of an active value
    double result = value(fold(t, n));
    free(t);
    return result;
}

void gradient(const double *x, double *dx, int n) { __backsweep_gradient((void *)f, bs_dup, x, dx, n); }
