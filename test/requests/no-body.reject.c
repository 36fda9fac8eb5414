// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
/* A function that is only declared: named, with what makes its body visible. */
#include "backsweep.h"

double elsewhere(double x);

double request(double x)
{
    // CHECK: no-body.reject.c:[[@LINE+4]]:{{[0-9]+}}: error: backsweep: {{.*}}elsewhere
    // CHECK-SAME: same file
    // CHECK-SAME: LTO
    // CHECK-SAME: rule{{.*}} [BS002]
    return __backsweep_gradient((void *)elsewhere, x);
}
