/* What a function does that calls itself is refused at its own line, as what stands in functions that become part of their callers. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
#include "backsweep.h"

double unknown(double x);

static double chain(const double *x, int n)
{
    if (n == 0)
        return 0;
    double y =
        // CHECK: lines_in_recursion.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: an active value {{.*}} is passed to `unknown`
        unknown(x[n - 1]);
    // CHECK-NOT: compile with -g
    return y + chain(x, n - 1);
}

static double f(const double *x, int n) { return chain(x, n); }

void gradient(double *x, double *dx, int n) { __backsweep_gradient_void((void *)f, x, dx, n); }
