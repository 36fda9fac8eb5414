// In a function of thousands of blocks adjoints share cells: the gradient is what forward mode says, which has none.
// RUN: %clang -O1 -w %include %pass %s -o %t %runtime && %t
#include "backsweep.h"
#include <math.h>
#include <stdio.h>

#define BRANCH(a, b, c)                                         \
    if (v[b] > 0.3 + 0.001 * (__COUNTER__ % 97)) {              \
        v[a] = sin(v[b]) * 0.5 + v[c] * x[__COUNTER__ % 8];     \
        v[c] = v[c] * 0.9 + 0.01 * v[a];                        \
    } else {                                                    \
        v[c] = 0.5 * v[a] * v[b] + 0.7 * v[c];                  \
    }
#define FOUR(a, b, c) BRANCH(a, b, c) BRANCH(b, c, a) BRANCH(c, a, b) BRANCH(a, c, b)
#define SIXTEEN(a, b, c) FOUR(a, b, c) FOUR(b, c, a) FOUR(c, a, b) FOUR(b, a, c)
#define MANY SIXTEEN(0, 1, 2) SIXTEEN(3, 4, 5) SIXTEEN(6, 7, 0) SIXTEEN(1, 3, 6) SIXTEEN(2, 5, 7)

static double f(const double *x) {
    double v[8];
    for (int i = 0; i < 8; i++)
        v[i] = x[i];
    MANY MANY MANY MANY MANY MANY
    for (int i = 0; i < 3; i++) {
        MANY
    }
    double s = 0;
    for (int i = 0; i < 8; i++)
        s += (i + 1) * v[i];
    return s;
}

int main(void) {
    double x[8], dx[8] = {0};
    int wrong = 0;
    for (int i = 0; i < 8; i++)
        x[i] = 0.2 + 0.1 * i;
    __backsweep_gradient((void *)f, bs_dup, x, dx);
    for (int i = 0; i < 8; i++) {
        double t[8] = {0};
        t[i] = 1;
        double d = __backsweep_tangent((void *)f, bs_dup, x, t);
        if (!(fabs(d - dx[i]) <= 1e-10 * (1 + fabs(d)))) {
            printf("x[%d]: %.17g, and forwards %.17g\n", i, dx[i], d);
            wrong = 1;
        }
    }
    return wrong;
}
