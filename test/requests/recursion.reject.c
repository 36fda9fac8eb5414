// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
/* The body of a recursive function is visible, so the message must not ask to make it so. */
#include "backsweep.h"

static int depth(int n) { return n <= 0 ? 0 : 1 + depth(n - 2); }
static double power(double x, int n)
{
    // CHECK: recursion.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: the call of `power` was not inlined (recursion){{.*}} [BS025]
    return n == 0 ? depth(n) + 1.0 : x * power(x, n - 1);
}

double request(double x) { return __backsweep_gradient((void *)power, x, 3); }
// CHECK: 1 error generated
