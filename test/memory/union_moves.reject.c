/* A union of a float and a pointer that is read through a copy of its own: optimisers move it as a float, and a pointer would
 * come without its shadow. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t2.o %clang -g -O2 %include %pass -c %s > %t2.text
// RUN: FileCheck %s < %t2.text
#include "backsweep.h"

struct either {
    union {
        double number;
        double *pointer;
    } is;
};

static double moved(double x, int n) {
    double cell = x * x, sum = 0;
    struct either all[4];
    for (int i = 0; i < n; i++)
        if (i & 1)
            all[i].is.pointer = &cell;
        else
            all[i].is.number = x * 3;
    for (int i = 0; i < n; i++) {
        // CHECK: union_moves.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `store` moves a float, or a pointer to active memory
        struct either one = all[i];
        sum += (i & 1) ? *one.is.pointer : one.is.number;
    }
    return sum;
}

double derivative(double x, int n) { return __backsweep_gradient((void *)moved, x, n); }
