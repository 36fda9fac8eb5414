/* A chain of nine thousand numbers, each computed from the one before: what computes it again on the way back goes down no stack of its own.
 * Against the product of the derivatives of the links. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O1 %pass %include %s -o %t.O1 -lm %runtime && %t.O1
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

enum { LINKS = 9000 };

#define LINK y = sin(y);
#define TEN(x) x x x x x x x x x x
#define THOUSAND TEN(TEN(TEN(LINK)))

static double chain(double y)
{
    THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND THOUSAND
    return y;
}

int main(void)
{
    double y = 0.7, expected = 1;
    for (int link = 0; link < LINKS; link++) {
        expected *= cos(y);
        y = sin(y);
    }
    double slope = __backsweep_gradient((void *)chain, 0.7);
    if (fabs(slope - expected) <= 1e-10 * expected)
        return 0;
    printf("%.17g, expected %.17g\n", slope, expected);
    return 1;
}
