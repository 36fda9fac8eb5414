/* Nests of short loops as they stand behind an optimiser, which does two at a time and asks beforehand whether there are any: in the last
 * passes of the outer loop none is left, and the inner loop is passed by. Written out for such a pass it would go round all numbers. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 %runtime -lm && %t.O2
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

#define N 5

static double in_pairs(const double *x, int steps)
{
    double y[N + 1] = {0}, sum = 0;
    for (int t = 0; t < steps; t++)
        for (unsigned i = 0; i < N; i++) {
            double a = x[i] + 0.1 * y[i];
            unsigned most = (N - 1 - i) & ~1u;
            if (most != 0) {
                unsigned j = 0;
                do {
                    y[i + j + 1] += 0.1 * a * a * y[i + j];
                    y[i + j + 2] += 0.2 * a * x[i + j + 1];
                    j += 2;
                } while (j != most);
            }
            y[i] += sin(a);
        }
    for (int i = 0; i < N; i++)
        sum += y[i] * y[i];
    return sum;
}

int main(void)
{
    double x[N + 1] = {1, 0.8, 1.2, 0.9, 1.1, 0.7}, dx[N + 1] = {0};
    __backsweep_gradient(in_pairs, bs_dup, x, dx, 3);
    for (int i = 0; i <= N; i++) {
        double at = x[i];
        x[i] = at + 1e-5;
        double above = in_pairs(x, 3);
        x[i] = at - 1e-5;
        double below = in_pairs(x, 3);
        x[i] = at;
        double difference = (above - below) / 2e-5;
        if (!(fabs(difference - dx[i]) <= 1e-7 * (1 + fabs(difference)))) {
            printf("number %d: %.10g, by differences %.10g\n", i, dx[i], difference);
            return 1;
        }
    }
    return 0;
}
