// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: test "$(grep -c 'error: backsweep' %t.text)" = 2
/* A function that several requests share is refused once for what stands in it. */
#include "backsweep.h"

double hidden(double);
static double user(double x)
{
    // CHECK: once.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: {{.*}}`hidden`
    double once = hidden(x);
    // CHECK: once.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: {{.*}}`hidden`
    return once * hidden(x);
}

double requests(double x)
{
    double sum = __backsweep_gradient((void *)user, x) + __backsweep_tangent((void *)user, x, 1.0);
    void *tape = __backsweep_augmented((void *)user, x);
    return sum + __backsweep_reverse((void *)user, x, 1.0, tape) + __backsweep_gradient((void *)user, x + 1);
}
