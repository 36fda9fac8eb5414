// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
/* Fewer arguments than the function has, and a shadow that is missing at the end. */
#include "backsweep.h"

static double product(double x, double y) { return x * y; }

double argument(double x)
{
    // CHECK: too-few.reject.c:[[@LINE+2]]:{{[0-9]+}}: error: backsweep: too few arguments
    // CHECK-SAME: parameter `y` (a double), found the end of the call; write {{.*}}(product, bs_out, x, bs_out, y) [BS003]
    return __backsweep_gradient((void *)product, x);
}

double direction(double x, double y)
{
    // CHECK: too-few.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: {{.*}}shadow{{.*}} [BS003]
    return __backsweep_tangent((void *)product, x, 1.0, y);
}
