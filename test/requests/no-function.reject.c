// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
/* A hook needs the function as its first argument: nothing, a number, and a pointer that no one can follow. */
#include "backsweep.h"

double number(double x)
{
    // CHECK: no-function.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: {{.*}}function{{.*}} [BS001]
    return __backsweep_gradient((void *)0, x);
}

double anything(void *pointer, double x)
{
    // CHECK: no-function.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: {{.*}}function{{.*}} [BS001]
    return __backsweep_gradient(pointer, x);
}
