/* Floats of the user's that are moved as pointers, by a swap that is written for those: their derivatives would not come along. In memory of the
 * call they do (sources/c/moved_by_either_member). */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t2.o %clang -g -O2 %include %pass -c %s > %t2.text
// RUN: FileCheck %s < %t2.text
#include "backsweep.h"

static double swapped(double *x) {
    void **a = (void **)x, *first = a[0];
    // CHECK-DAG: floats_moved_as_pointers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `store` moves a float, or a pointer to active memory
    a[0] = a[1];
    a[1] = first;
    return x[0] * x[0] * x[1];
}

void derivatives(double *x, double *dx) {
    __backsweep_gradient((void *)swapped, bs_dup, x, dx);
}
