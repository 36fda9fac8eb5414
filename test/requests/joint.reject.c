/* Wishes about calls that cannot be heeded as they are written. */
// RUN: %refused %t.o %clang -O1 -g %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
#include "backsweep.h"

void step(double *x) { x[0] *= x[0]; }
double f(double *x)
{
    step(x);
    return x[0];
}

// CHECK: joint.reject.c:[[#@LINE+3]]:{{.*}} bs_joint is followed by something else than a function that is known when compiling
double not_a_function(double *x, double *dx, int n)
{
    return __backsweep_gradient((void *)f, bs_joint, n, x, dx);
}

// CHECK: joint.reject.c:[[#@LINE+3]]:{{.*}} bs_split does not fit split mode, whose halves have to agree: annotate the function itself, as __attribute__((annotate("backsweep_split"))), or list it in a global `__backsweep_split_…`
void *half(double *x, double *dx)
{
    return __backsweep_augmented((void *)f, bs_split, (void *)step, x, dx);
}
