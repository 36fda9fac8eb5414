/* Floats that are moved as pointers: by the other member of a union, by a swap that is written for pointers, and into a place that
 * is touched under another offset. Their derivatives would not come along. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t2.o %clang -g -O2 %include %pass -c %s > %t2.text
// RUN: FileCheck %s < %t2.text
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

union either {
    double number;
    void *pointer;
};

static double by_member(const double *x, int n) {
    union either *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        a[i].number = x[i] * x[i];
    for (int i = 0; i < n; i++) {
        // CHECK-DAG: floats_moved_as_pointers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `store` moves a float, or a pointer to active memory
        b[n - 1 - i].pointer = a[i].pointer;
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += b[i].number * i;
    free(a);
    free(b);
    return sum;
}

/* The floats are put in and taken out at known places, and moved at all. */
static double known_places(const double *x, int n) {
    union either a[4], b[4];
    a[0].number = x[0] * x[1];
    a[1].number = x[1];
    for (int i = 0; i < n; i++) {
        // CHECK-DAG: floats_moved_as_pointers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `store` moves a float, or a pointer to active memory
        b[n - 1 - i].pointer = a[i].pointer;
    }
    return b[0].number * b[1].number;
}

static double in_slots(const double *x) {
    void *slot[2];
    double v = x[0] * x[1], w;
    memcpy(slot, &v, sizeof v);
    // CHECK-DAG: floats_moved_as_pointers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `store` moves a float, or a pointer to active memory
    slot[1] = slot[0];
    memcpy(&w, slot + 1, sizeof w);
    return w * w;
}

static double swapped(double *x) {
    void **a = (void **)x, *first = a[0];
    // CHECK-DAG: floats_moved_as_pointers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `store` moves a float, or a pointer to active memory
    a[0] = a[1];
    a[1] = first;
    return x[0] * x[0] * x[1];
}

void derivatives(double *x, double *dx, int n) {
    __backsweep_gradient((void *)by_member, bs_dup, x, dx, n);
    __backsweep_gradient((void *)known_places, bs_dup, x, dx, n);
    __backsweep_gradient((void *)in_slots, bs_dup, x, dx);
    __backsweep_gradient((void *)swapped, bs_dup, x, dx);
}
