// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
/* More arguments than the function has. */
#include "backsweep.h"

static double square(double x) { return x * x; }

double request(double x)
{
    // CHECK: too-many.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: {{.*}}square{{.*}} [BS{{[0-9]+}}]
    return __backsweep_gradient((void *)square, x, 2.0, 3.0);
}
