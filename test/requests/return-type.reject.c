// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
/* The hook is declared with a type that cannot hold what it returns. */
#include "backsweep.h"

struct three {
    double x, y, z;
};
struct three __backsweep_gradient_three(void *, ...);
static double product(double x, double y) { return x * y; }

double one_for_two(double x, double y)
{
    // CHECK: return-type.reject.c:[[@LINE+3]]:{{[0-9]+}}: error: backsweep: mismatched return type
    // CHECK-SAME: declared to return a double; expected the derivative of `x` (a double), then the derivative of `y` (a double)
    // CHECK-SAME: struct result{{.*}} [BS010]
    return __backsweep_gradient((void *)product, x, y);
}

double three_for_two(double x, double y)
{
    // CHECK: return-type.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: {{.*}}return{{.*}} [BS010]
    return __backsweep_gradient_three((void *)product, x, y).z;
}
