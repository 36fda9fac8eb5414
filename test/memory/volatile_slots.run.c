/* Volatile variables of the function itself, as tests and old codes have them: nobody else sees them, so they are differentiated. */
// RUN: %clang -O0 -g %include %pass %s -o %t %runtime && %t
// RUN: %clang -O2 %include %pass %s -o %t %runtime && %t
// RUN: %refused %t.o %clang -g -O2 -DSEEN %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

#ifdef SEEN
void show(volatile double *);
#endif

static double shown(const double *x, int n) {
    volatile double square = x[0] * x[0], parts[2];
    volatile int count = n;
    double sum = square;
    for (volatile int i = 0; i < count; i++) {
        parts[i & 1] = x[i] * square;
        sum += parts[i & 1];
    }
#ifdef SEEN
    // CHECK: volatile_slots.run.c:[[#]]:{{.*}}error: backsweep:
    show(&square);
    sum *= square;
#endif
    return sum;
}

int main(void) {
    double x[3] = {2, 3, 5}, found[3] = {0};
    __backsweep_gradient((void *)shown, bs_dup, x, found, 3);
    /* x0² + x0² (x0 + x1 + x2) */
    double expected[3] = {2 * 2 * 11 + 4, 4, 4};
    for (int i = 0; i < 3; i++)
        if (fabs(found[i] - expected[i]) > 1e-12) {
            printf("%d: %g, expected %g\n", i, found[i], expected[i]);
            return 1;
        }
    return 0;
}
