/* A word of a union that is counted with in one arm and copied in the other, where it may be the bits of a float: that it is read once
 * for both does not make it an integer. */
// RUN: %refused %t.o %clang -g -O1 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
#include "backsweep.h"

union word {
    double number;
    long count;
};

static double f(const union word *p, union word *q, int counted, const double *t) {
    long w = p->count;
    if (counted)
        return t[w & 3] + t[w % 4];
    // CHECK: counted-arm.reject.c:[[@LINE+1]]:{{.*}}the operation `store` writes bytes of active memory as an integer
    q->count = w;
    return 0;
}

void gradient(union word *p, union word *dp, union word *q, union word *dq, int c, double *t, double *dt) {
    __backsweep_gradient_void((void *)f, bs_dup, p, dp, bs_dup, q, dq, c, bs_dup, t, dt);
}
