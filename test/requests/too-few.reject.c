// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
/* Fewer arguments than the function has, and a shadow that is missing at the end. */
#include "backsweep.h"

static double product(double x, double y) { return x * y; }

double argument(double x)
{
    // CHECK: too-few.reject.c:[[@LINE+2]]:{{[0-9]+}}: error: backsweep: {{.*}}product
    // CHECK-SAME: y
    return __backsweep_gradient((void *)product, x);
}

double direction(double x, double y)
{
    // CHECK: too-few.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: {{.*}}shadow{{.*}} [BS{{[0-9]+}}]
    return __backsweep_tangent((void *)product, x, 1.0, y);
}
