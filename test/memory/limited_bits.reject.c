/* The bits of floats that go through arithmetic without wrapping, or by bytes that are made numbers on their way: by the same signs
 * something beside a float is told to be an integer. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t2.o %clang -g -O2 %include %pass -c %s > %t2.text
// RUN: FileCheck %s < %t2.text
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

static double limited(const double *x, int n) {
    unsigned long *kept = malloc(n * sizeof *kept);
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double square = x[i] * x[i], back;
        unsigned long bits;
        memcpy(&bits, &square, sizeof bits);
        kept[i] = __builtin_elementwise_sub_sat(bits, (unsigned long)(n > 7));
        // CHECK-DAG: limited_bits.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: a float is made here of an integer that was computed from the bits
        memcpy(&back, kept + i, sizeof back);
        sum += back;
    }
    free(kept);
    return sum;
}

static double by_bytes(const double *x, int n) {
    unsigned char *from = malloc(n * sizeof *x), *to = malloc(n * sizeof *x);
    double sum = 0, digest = 0;
    // CHECK-DAG: limited_bits.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the call of `llvm.memcpy.p0.p0.i64` copies active memory
    memcpy(from, x, n * sizeof *x);
    for (int i = 0; i < n * (int)sizeof *x; i++) {
        to[i] = from[i];
        digest += from[i];
    }
    double *back = malloc(n * sizeof *back);
    memcpy(back, to, n * sizeof *back);
    for (int i = 0; i < n; i++)
        sum += back[i];
    free(from);
    free(to);
    free(back);
    return sum + (digest > 1e9);
}

void gradients(const double *x, double *dx, int n) {
    __backsweep_gradient((void *)limited, x, dx, n);
    __backsweep_gradient((void *)by_bytes, x, dx, n);
}
