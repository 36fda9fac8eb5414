/* The address of a variable goes through a double: as an argument of a function that calls itself, as a result, as a member. Nobody
 * follows what lies behind it, and its shadow stays behind; this crashed once. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t2.o %clang -g -O2 %include %pass -c %s > %t2.text
// RUN: FileCheck %s < %t2.text
#include <string.h>

#include "backsweep.h"

__attribute__((noinline)) static double unwrapped(double carried, int n) {
    double *p;
    memcpy(&p, &carried, sizeof p);
    if (n == 0)
        return *p * *p;
    return unwrapped(carried, n - 1) + *p;
}

static double argument(double x) {
    double cell = x * 1.5, *p = &cell, v;
    // CHECK-DAG: pointers_as_floats.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `load` reads a float where nothing but a pointer was put
    memcpy(&v, &p, sizeof v);
    return unwrapped(v, 3);
}

/* As it comes in, only the other half of the way is seen. */
__attribute__((noinline)) static double behind(double carried, const double *x) {
    double *p;
    // CHECK-DAG: pointers_as_floats.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `load` reads a pointer where nothing but a float was put
    memcpy(&p, &carried, sizeof p);
    return *p * *x;
}

void derivatives(double *x, double *dx, double *p) {
    double v;
    memcpy(&v, &p, sizeof v);
    *dx += __backsweep_gradient((void *)argument, bs_out, *x);
    __backsweep_gradient((void *)behind, bs_const, v, bs_dup, x, dx);
}
