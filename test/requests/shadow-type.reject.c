// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
/* A shadow has the type of what it shadows: an integer for a float, a float for a pointer. */
#include "backsweep.h"

static double square(double x) { return x * x; }
static double first(const double *x) { return x[0]; }

double integer(double x)
{
    // CHECK: shadow-type.reject.c:[[@LINE+3]]:{{[0-9]+}}: error: backsweep: {{.*}}shadow
    // CHECK-SAME: `x` is a 32-bit integer; expected a double
    // CHECK-SAME: write __backsweep_tangent(square, bs_dup, x, d_x) [BS006]
    return __backsweep_tangent((void *)square, x, 1);
}

void scalar(const double *x)
{
    // CHECK: shadow-type.reject.c:[[@LINE+2]]:{{[0-9]+}}: error: backsweep: {{.*}}shadow
    // CHECK-SAME: `x` is a double; expected a pointer{{.*}} [BS006]
    __backsweep_gradient_void((void *)first, x, 1.0);
}
