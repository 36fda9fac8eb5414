// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
/* A global that is spelt like a token and is none: the likely one is named. */
#include "backsweep.h"

extern int bs_dupp, bs_cost;
static double square(double x) { return x * x; }

double near_dup(double x)
{
    // CHECK: unknown-token.reject.c:[[@LINE+2]]:{{[0-9]+}}: error: backsweep: {{.*}}bs_dupp
    // CHECK-SAME: bs_dup{{.*}} [BS009]
    return __backsweep_tangent((void *)square, bs_dupp, x, 1.0);
}

double near_const(double x)
{
    // CHECK: unknown-token.reject.c:[[@LINE+2]]:{{[0-9]+}}: error: backsweep: {{.*}}bs_cost
    // CHECK-SAME: bs_const{{.*}} [BS009]
    return __backsweep_gradient((void *)square, bs_cost, x);
}
