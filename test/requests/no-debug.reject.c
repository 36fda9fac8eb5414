// RUN: %refused %t.o %clang -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -O2 %include %pass -c %s | FileCheck %s
/* Without -g clang knows no line of the call; it reports the enclosing function, and the message stays whole. */
#include "backsweep.h"

double elsewhere(double x);

// CHECK: no-debug.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: {{.*}}elsewhere{{.*}} [BS{{[0-9]+}}]
double request(double x)
{
    return __backsweep_gradient((void *)elsewhere, x);
}
