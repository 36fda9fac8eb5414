/* A program in two files that only the linker sees together: full link-time optimisation. */
// RUN: %clang_lto -O1 -c %S/../Inputs/check.c -o %t.check.o
// RUN: %clang_lto -flto -O2 %include -I%S/../Inputs -c %s -o %t.first.o
// RUN: %clang_lto -flto -O2 -ffast-math -c %S/../Inputs/second_file.c -o %t.second.o
// RUN: %clang_lto -flto -O2 %link_pass %t.first.o %t.second.o %t.check.o -o %t %runtime
// RUN: %t double 0.8 1.3 -0.4 2.1
#include "source.h"
#include <math.h>

struct state {
    double position, velocity;
};

struct state advance(struct state s, double drag, double dt);
double measure(const struct state *path, int n);

static double f(const double *x, int n)
{
    struct state path[16] = {{x[0], x[1]}};
    for (int i = 1; i < 16; i++)
        path[i] = advance(path[i - 1], 0.1 + 0.01 * x[2] * x[2], 0.05);
    return measure(path, 16) * exp(0.1 * x[n - 1]);
}

REQUESTS(f)
