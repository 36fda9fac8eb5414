/* Bits that are computed with, in memory that others may look at. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
#include "backsweep.h"

/* A float doubled by its exponent, where a float is read again. */
union bits {
    double value;
    long whole;
};

double doubled(double *x, union bits *scratch, int n) {
    scratch[n].value = *x;
    // CHECK: bits_by_others.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `store` writes bytes of active memory as an integer
    scratch[n + 1].whole = scratch[n].whole + (1L << 52);
    return scratch[n + 1].value;
}

void f(double *x, double *dx, union bits *s, union bits *ds) {
    __backsweep_gradient((void *)doubled, x, dx, s, ds, 3);
}
