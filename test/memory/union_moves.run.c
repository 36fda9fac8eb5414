/* A union of a float and a pointer that is read through a copy of its own: optimisers move it as a float, and a pointer would
 * come without its shadow. In memory of the program's own such a word goes through a slot, and the shadow tells which it is. */
// RUN: %clang -O0 %include %pass %s -o %t %runtime -lm && %t
// RUN: %clang -O2 %include %pass %s -o %t %runtime -lm && %t
// RUN: %clang -O2 -fsanitize=address,undefined -fno-sanitize-recover=all %include %pass %s -o %t %runtime -lm && %t
#include "backsweep.h"
#include <math.h>
#include <stdio.h>

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
        struct either one = all[i];
        sum += (i & 1) ? *one.is.pointer : one.is.number;
    }
    return sum;
}

int main(void) {
    int wrong = 0;
    for (int n = 1; n <= 4; n++) {
        double x = 0.7, h = 1e-6, difference = (moved(x + h, n) - moved(x - h, n)) / (2 * h);
        double backward = __backsweep_gradient((void *)moved, x, n);
        double forward = __backsweep_tangent((void *)moved, x, 1.0, n);
        if (!(fabs(backward - difference) < 1e-8 * n) || !(fabs(backward - forward) < 1e-12 * n)) {
            printf("%d: %.12g backward, %.12g forward, %.12g by differences\n", n, backward, forward, difference);
            wrong = 1;
        }
    }
    return wrong;
}
