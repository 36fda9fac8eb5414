// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
/* Shadows behind the values, and tapes in memory, where they do not belong. */
#include "backsweep.h"

static double product(const double *x, const double *y) { return x[0] * y[0]; }

void early(const double *x, double *dx, const double *y, double *dy)
{
    // CHECK: conveniences.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: bs_interleave stands before the value of parameter `y`{{.*}} [BS007]
    __backsweep_gradient_void((void *)product, x, bs_interleave, dx, y, dy);
}

void short_of_shadows(const double *x, double *dx, const double *y)
{
    // CHECK: conveniences.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: too few arguments {{.*}}the shadow of parameter `y`{{.*}} [BS003]
    __backsweep_gradient_void((void *)product, x, y, bs_interleave, dx);
}

void strided_float(const double *x, double *dx, const double *y, double *dy)
{
    // CHECK: conveniences.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: the bytes from one shadow of parameter `x`{{.*}}a double{{.*}} [BS007]
    __backsweep_gradient_void((void *)product, bs_width, 1, bs_dup_strided, 8.0, x, dx, y, dy);
}

void tape_without_halves(const double *x, double *dx, const double *y, double *dy, void **tape)
{
    // CHECK: conveniences.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: bs_tape_at: only the two halves of split mode{{.*}} [BS007]
    __backsweep_gradient_void((void *)product, bs_tape_at, tape, x, dx, y, dy);
}

double __enzyme_augmentsize(void *, ...);
double size_of_a_tape(void)
{
    // CHECK: conveniences.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: __enzyme_augmentsize: it returns a number of bytes{{.*}} [BS010]
    return __enzyme_augmentsize((void *)product);
}
