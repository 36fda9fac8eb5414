/* Derivatives of derivatives that keep records on the tape, in what is not differentiated yet. */
// RUN: %split_file %s %t.d
// RUN: %refused %t.o %clang -g -O1 %include %pass -c %t.d/reverse.c | FileCheck %t.d/reverse.c
// RUN: %refused %t.o %clang -g -O1 %include %pass -c %t.d/halves.c | FileCheck %t.d/halves.c
// RUN: %refused %t.o %clang -g -O1 %include %pass -c %t.d/recursion.c | FileCheck %t.d/recursion.c
// RUN: %refused %t.o %clang -g -O1 %include %pass -c %t.d/freed.c | FileCheck %t.d/freed.c
// RUN: %refused %t.o %clang -g -O1 -fexceptions %include %pass -c %t.d/own.c | FileCheck %t.d/own.c

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
// CHECK: error: backsweep: the derivative of `deep` is called in two halves, because `deep` calls itself, and only forward mode goes over those: take the tangent of the gradient [BS012]
double second(double x, int n) { return __backsweep_gradient((void *)first, x, n); }

//--- freed.c
#include <stdlib.h>
#include "backsweep.h"
static double taken(double *x, double *block) {
    double y = *x * *block * *block;
    free(block);
    return y;
}
static void first(double *x, double *dx, double *block, double *shadow) {
    __backsweep_gradient_void((void *)taken, bs_dup, x, dx, bs_dup, block, shadow);
}
// CHECK: error: backsweep: the derivative of `taken` frees memory when it is over, and only forward mode goes over that: take the tangent of the gradient [BS012]
void second(double *x, double *v, double *dx, double *dv, double *b, double *bv, double *s, double *sv) {
    __backsweep_gradient_void((void *)first, bs_dup, x, v, bs_dup, dx, dv, bs_dup, b, bv, bs_dup, s, sv);
}

//--- own.c
#include <stdlib.h>
#include "backsweep.h"
double sin(double);
void tick(void);
__attribute__((annotate("backsweep_inactive"))) void tick(void);
static double own(double x) {
    double *block = malloc(8);
    *block = x * x;
    tick();
    double y = sin(*block) * *block;
    free(block);
    return y;
}
static double first(double x) { return __backsweep_gradient((void *)own, x); }
// CHECK: error: backsweep: the derivative of `own` frees memory when it is over{{.*}} [BS012]
double second(double x) { return __backsweep_gradient((void *)first, x); }
