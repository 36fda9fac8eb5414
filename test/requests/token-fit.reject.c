// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
/* A token that does not fit the type of its argument: bs_out needs a float by value, and in reverse mode
 * bs_dup needs memory that can hold a sum. */
#include "backsweep.h"

static double power(double x, int n)
{
    double p = 1.0;
    for (int i = 0; i < n; ++i)
        p *= x;
    return p;
}
static double first(const double *x) { return x[0]; }

double out_integer(double x)
{
    // CHECK: token-fit.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: {{.*}}bs_out{{.*}} [BS007]
    return __backsweep_gradient((void *)power, bs_const, x, bs_out, 2);
}

double out_pointer(const double *x)
{
    // CHECK: token-fit.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: {{.*}}bs_out{{.*}} [BS007]
    return __backsweep_gradient((void *)first, bs_out, x);
}

void dup_scalar(double x)
{
    // CHECK: token-fit.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: bs_dup does not fit parameter `x`{{.*}}write bs_out{{.*}} [BS007]
    __backsweep_gradient_void((void *)power, bs_dup, x, 1.0, 2);
}
