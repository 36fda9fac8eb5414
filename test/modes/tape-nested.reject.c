/* Derivatives of derivatives that keep records on the tape, in what is not differentiated yet. */
// RUN: %split_file %s %t.d
// RUN: %refused %t.o %clang -g -O1 %include %pass -c %t.d/reverse.c | FileCheck %t.d/reverse.c
// RUN: %refused %t.o %clang -g -O1 %include %pass -c %t.d/halves.c | FileCheck %t.d/halves.c
// RUN: %refused %t.o %clang -g -O1 %include %pass -c %t.d/recursion.c | FileCheck %t.d/recursion.c

//--- reverse.c
#include "backsweep.h"
double sin(double);
static double steps(double x, int n) {
    double y = x;
    for (int i = 0; i < n && y < 9; i++) y = sin(y * x);
    return y;
}
static double first(double x, int n) { return __backsweep_gradient((void *)steps, x, n); }
// CHECK: error: backsweep: the derivative of `steps` keeps records on the tape, and only forward mode goes over those: take the tangent of the gradient [BS012]
double second(double x, int n) { return __backsweep_gradient((void *)first, x, n); }

//--- halves.c
#include "backsweep.h"
double sin(double);
static double steps(double x, int n) {
    double y = x;
    for (int i = 0; i < n && y < 9; i++) y = sin(y * x);
    return y;
}
static double first(double x, int n) {
    void *tape = __backsweep_augmented((void *)steps, x, n);
    return __backsweep_reverse((void *)steps, x, n, 1.0, tape);
}
// CHECK: error: backsweep: the two halves of split mode are not differentiated again yet; ask for the gradient in one call [BS012]
double second(double x, int n) { return __backsweep_tangent((void *)first, x, 1.0, n); }

//--- recursion.c
#include "backsweep.h"
double sin(double);
double deep(double x, int n) { return n == 0 ? x : sin(deep(x, n - 1) * x); }
static double first(double x, int n) { return __backsweep_gradient((void *)deep, x, n); }
// CHECK: error: backsweep: the derivative of `deep` is called in two halves, because `deep` calls itself, and those are not differentiated again yet [BS012]
double second(double x, int n) { return __backsweep_tangent((void *)first, x, 1.0, n); }
