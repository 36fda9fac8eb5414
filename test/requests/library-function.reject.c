// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
#include "backsweep.h"
#include <math.h>

double request(double x)
{
    // CHECK: library-function.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: `sin` has no body here: it is a library function with a rule{{.*}}`double f(double x) { return sin(x); }` [BS002]
    return __backsweep_gradient((void *)sin, x);
}
