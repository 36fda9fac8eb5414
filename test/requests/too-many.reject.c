// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
/* More arguments than the function has. */
#include "backsweep.h"

static double square(double x) { return x * x; }

double request(double x)
{
    // CHECK: too-many.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: too many arguments to __backsweep_gradient: `square` has 1 parameter; write {{.*}}(square, bs_out, x) [BS004]
    return __backsweep_gradient((void *)square, x, 2.0, 3.0);
}
