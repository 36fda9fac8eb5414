// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
/* A call that stays a call is differentiated by itself; what cannot be handed to its derivative is refused there: an integer of
   two registers among the arguments that have no names. */
#include "backsweep.h"

static double power(double x, ...);
static double down(double x, int n)
{
    // CHECK: call.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: the call of `power` passes a variable number of arguments{{.*}} [BS025]
    return n == 0 ? 1 : power(x, (__int128)n - 1);
}
static double power(double x, ...) { return x * down(x, 0) * power(x); }

double request(double x) { return __backsweep_gradient((void *)down, x, 3); }
