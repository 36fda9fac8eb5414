/* A table that the function makes and frees, where nothing in memory has a derivative: all of the derivative is proved from its plan. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 %runtime -lm && %t.O2
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backsweep.h"

static double f(double x, int n)
{
    int *order = malloc(n * sizeof *order);
    double *weights = malloc(n * sizeof *weights), y = x;
    for (int i = 0; i < n; i++) {
        order[i] = 7 * i % n;
        weights[i] = i * 0.1;
    }
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < n; i++)
            y = sin(y) * weights[order[i]] + x;
    free(order);
    free(weights);
    return y;
}

int main(void)
{
    double h = 1e-6, found = __backsweep_gradient((void *)f, 0.7, 9);
    double expected = (f(0.7 + h, 9) - f(0.7 - h, 9)) / (2 * h);
    if (fabs(found - expected) < 1e-7)
        return 0;
    printf("%.12g, expected %.12g\n", found, expected);
    return 1;
}
