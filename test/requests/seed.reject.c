// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
/* A seed belongs to a returned float; these functions return none. */
#include "backsweep.h"

static int sign(double x) { return x < 0.0 ? -1 : 1; }
static void store(double x, double *y) { *y = x * x; }

double integer(double x)
{
    // CHECK: seed.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: bs_seed: `sign` returns a 32-bit integer{{.*}} [BS008]
    return __backsweep_gradient((void *)sign, bs_seed, 2.0, x);
}

double nothing(double x, double *y, double *dy)
{
    // CHECK: seed.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: bs_seed: `store` returns nothing{{.*}} [BS008]
    return __backsweep_gradient((void *)store, bs_seed, 2.0, x, y, dy);
}
