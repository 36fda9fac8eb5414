/* Who steps from one array of a struct into the next, as many programs do with six numbers of a force and its moment: the struct stays
 * in one piece, and the gradient is of what runs. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O1 -g -fsanitize=address %pass %include %s -o %t.asan %runtime -lm && %t.asan
// RUN: %clang -O2 %pass %include %s -o %t.O2 %runtime -lm && %t.O2
// RUN: %clang -O3 -ffast-math %pass %include %s -o %t.fast %runtime -lm && %t.fast
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

struct wrench {
    double force[3];
    double moment[3];
};

struct tagged {
    int counts[4];
    double weight;
    double parts[2];
    double rest[3];
};

static double spread(const double *x, int n)
{
    struct wrench w = {{0, 0, 0}, {0, 0, 0}};
    double *all = w.force, sum = 0;
    for (int i = 0; i < n; i++)
        all[i % 6] += x[i] * x[(i + 1) % n];
    for (int i = 0; i < 3; i++)
        sum += w.force[i] * w.moment[(i + 1) % 3];
    return sum;
}

static double tagged(const double *x, int n)
{
    struct tagged t;
    double *from = t.parts, sum = 0;
    for (int i = 0; i < 5; i++)
        from[i] = 0.1 * (i + 1);
    t.weight = x[0];
    for (int i = 0; i < 4; i++)
        t.counts[i] = i + 1;
    for (int i = 0; i < n; i++) {
        from[i % 5] = from[i % 5] * 0.5 + x[i] * t.counts[i % 4];
        sum += t.rest[i % 3] * t.parts[i % 2] * t.weight;
    }
    return sum;
}

static double f(const double *x, int n) { return spread(x, n) + tagged(x, n); }

int main(void)
{
    double x[11], dx[11] = {0};
    for (int i = 0; i < 11; i++)
        x[i] = 0.4 + 0.1 * sin(2.0 * i);
    __backsweep_gradient_void((void *)f, x, dx, 11);
    int right = 1;
    for (int i = 0; i < 11; i++) {
        double kept = x[i];
        x[i] = kept + 1e-6;
        double up = f(x, 11);
        x[i] = kept - 1e-6;
        double down = f(x, 11);
        x[i] = kept;
        if (fabs(dx[i] - (up - down) / 2e-6) > 1e-7 * (1 + fabs(dx[i])))
            right = !fprintf(stderr, "%d: %g is not %g\n", i, dx[i], (up - down) / 2e-6);
    }
    return !right;
}
