// A library that reads text does not find a variable of this file whose address nobody keeps.
// RUN: %clang -O0 -g %include %pass %s -o %t %runtime && %t
// RUN: %clang -O2 -g %include %pass %s -o %t %runtime && %t
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

static double kept[2];

__attribute__((noinline)) static double twice(double x) { return x * kept[1]; }

static double f(const double *x, int n)
{
    int count = 0;
    char word[16];
    kept[1] = x[1];
    if (sscanf("steps = 24", " %15[a-z] = %d", word, &count) != 2)
        return -1;
    kept[0] = x[0] * n;
    return twice(kept[0]) * count;
}

int main(void)
{
    double x[2] = {1.5, 0.5}, dx[2] = {0};
    __backsweep_gradient_void((void *)f, x, dx, 2);
    int wrong = fabs(dx[0] - 24) > 1e-12 || fabs(dx[1] - 72) > 1e-12;
    if (wrong)
        printf("%g %g\n", dx[0], dx[1]);
    return wrong;
}
