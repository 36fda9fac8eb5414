/* Block sizes that are worked out in place by a function that stays a call, in a struct beside the pointers to the numbers that they
 * are about. That the function finds integers there its callers tell, and theirs. */
// RUN: %clang -O0 -g %include %pass %s -o %t %runtime -lm && %t
// RUN: %clang -O1 -g %include %pass %s -o %t %runtime -lm && %t
// RUN: %clang -O2 -g %include %pass %s -o %t %runtime -lm && %t
// RUN: %clang -O3 -g %include %pass %s -o %t %runtime -lm && %t
// RUN: %clang -O2 -ffast-math -g %include %pass %s -o %t %runtime -lm && %t
// RUN: %clang -O1 -g -fsanitize=address %include %pass %s -o %t %runtime -lm && %t
#include "backsweep.h"
#include <math.h>
#include <stdio.h>

struct blocks {
    double *numbers;
    long inner, outer;
    double scale;
};

/* A function that calls itself stays a call. */
static void fit(long *inner, long *outer, long most)
{
    if (*inner > most) {
        long fitting = *inner - *inner % 2;
        *inner = fitting > most ? fitting / 2 : *inner;
        if (fitting > most)
            fit(inner, outer, most);
    }
    long rest = most + 7;
    *outer = rest / 2 < *outer ? rest / 2 : *outer;
    if (*inner > *outer + most) {
        long kept = *inner;
        *inner = *outer;
        *outer = kept;
    }
}

static void prepare(struct blocks *b, int depth)
{
    if (depth > 0) {
        prepare(b, depth - 1);
        return;
    }
    fit(&b->inner, &b->outer, 4);
}

static double f(double *x, int n)
{
    struct blocks b = {x, n, n, x[0]};
    long other = n;
    prepare(&b, n > 3);
    fit(&other, &b.outer, 3);
    double sum = 0;
    for (long i = 0; i < n; i += b.inner)
        for (long j = i; j < n && j < i + b.inner; j++)
            sum += b.numbers[j] * b.numbers[j] * (double)(j + other) * b.scale;
    return sum * (double)b.outer;
}

static void gradient(double *x, double *dx, int n)
{
    __backsweep_gradient_void((void *)f, x, dx, n);
}

static double slope(double *x, double *dx, int n)
{
    return __backsweep_tangent((void *)f, x, dx, n);
}

int main(void)
{
    int failures = 0;
    for (int n = 1; n <= 12; n++) {
        double x[12], dx[12] = {0};
        for (int i = 0; i < n; i++)
            x[i] = 1.0 + 0.1 * i;
        gradient(x, dx, n);
        for (int i = 0; i < n; i++) {
            double kept = x[i], step = 1e-5, seed[12] = {0};
            x[i] = kept + step;
            double above = f(x, n);
            x[i] = kept - step;
            double below = f(x, n);
            x[i] = kept;
            seed[i] = 1;
            double expected = (above - below) / (2 * step), forward = slope(x, seed, n);
            if (fabs(dx[i] - expected) > 1e-6 * fabs(expected) + 1e-6 || fabs(dx[i] - forward) > 1e-12 * fabs(forward))
                failures += printf("n=%d i=%d: %g, expected %g, forward %g\n", n, i, dx[i], expected, forward) > 0;
        }
    }
    return failures != 0;
}
