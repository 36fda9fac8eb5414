// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
/* All errors of a file are reported in one run, and a sound request beside them does not hide them. */
#include "backsweep.h"

double elsewhere(double x);
static double square(double x) { return x * x; }

double sound(double x) { return __backsweep_gradient((void *)square, x); }

// CHECK-DAG: several.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: {{.*}}elsewhere
double first(double x) { return __backsweep_gradient((void *)elsewhere, x); }

// CHECK-DAG: several.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: {{.*}}square
double second(double x) { return __backsweep_gradient((void *)square, x, x, x); }

// CHECK-DAG: several.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: {{.*}}shadow
double third(double x) { return __backsweep_tangent((void *)square, x); }

// CHECK-DAG: {{^}}3 errors generated
