// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
/* clang replaces a constant marker by its value before any pass runs; what is left is an integer where the
 * argument is expected. That must be an error, never another meaning of the call. */
#include "backsweep.h"

static const int enzyme_out = 1;
double __enzyme_autodiff(void *, ...);
static double square(double x) { return x * x; }

double request(double x)
{
    // CHECK: const-marker.reject.c:[[@LINE+2]]:{{[0-9]+}}: error: backsweep: {{.*}}`x` is a 32-bit integer; expected a double
    // CHECK-SAME: [BS005]
    return __enzyme_autodiff((void *)square, enzyme_out, x);
}
