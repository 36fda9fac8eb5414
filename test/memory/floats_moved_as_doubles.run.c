// Two floats beside each other that are moved as one double, kept in a loop and taken from there more than once: what comes back to
// them from several sides is added as floats. So is what is copied in an array of such pairs, and a vector of two whose bits are kept in
// a double.
// RUN: %clang -O0 -g %include %pass %s -o %t %runtime && %t
// RUN: %clang -O1 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O2 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O3 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O2 -ffast-math %include %pass %s -o %t %runtime && %t
// RUN: %clang -O1 -g -fsanitize=address %include %pass %s -o %t %runtime && %t
#include "backsweep.h"
#include <math.h>
#include <stdio.h>

typedef union {
    double whole;
    float part[2];
} pair;

static pair of(float a, float b)
{
    pair made;
    made.part[0] = a;
    made.part[1] = b;
    return made;
}

static double kept(const double *x, int n)
{
    double state = of((float)x[0], (float)x[1]).whole, sum = 0;
    for (int i = 0; i < n; i++) {
        pair at;
        at.whole = i % 2 ? state : of((float)(x[1] * i), (float)x[0]).whole;
        sum += at.part[0] * at.part[0] * x[1] + (i > 2 ? at.part[1] : 0);
        if (i == 3)
            state = of((float)sum, at.part[0]).whole;
    }
    return sum;
}

static double copied(const double *x, int n)
{
    pair row[8];
    row[0] = of((float)x[0], (float)(x[0] * x[1]));
    for (int i = 1; i < n; i++)
        row[i].whole = row[i / 2].whole;
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += row[i].part[0] * row[i].part[1] * (i + 1);
    return sum;
}

typedef float two __attribute__((vector_size(8)));

static double bits_of(two floats)
{
    double whole;
    __builtin_memcpy(&whole, &floats, sizeof whole);
    return whole;
}

static double carried(const double *x, int n)
{
    double state = bits_of((two){(float)x[0], (float)x[1]}), sum = 0;
    for (int i = 0; i < n; i++) {
        two at;
        __builtin_memcpy(&at, &state, sizeof at);
        sum += at[0] * at[1] * (i + 1);
        if (i % 3 == 1)
            state = bits_of((two){(float)(sum * x[1]), at[0]});
    }
    return sum;
}

static int check(double (*f)(const double *, int), const double *found)
{
    const double step = 1e-2;
    int wrong = 0;
    for (int i = 0; i < 2; i++) {
        double x[2] = {0.75, 1.25};
        x[i] += step;
        double above = f(x, 6);
        x[i] -= 2 * step;
        double expected = (above - f(x, 6)) / (2 * step);
        if (!(fabs(found[i] - expected) <= 2e-3 * fabs(expected)))
            wrong = printf("%d: %.9g, by differences %.9g\n", i, found[i], expected);
    }
    return wrong;
}

int main(void)
{
    double x[2] = {0.75, 1.25}, of_kept[2] = {0}, of_copied[2] = {0}, of_carried[2] = {0};
    __backsweep_gradient(kept, bs_dup, x, of_kept, bs_const, 6);
    __backsweep_gradient(copied, bs_dup, x, of_copied, bs_const, 6);
    __backsweep_gradient(carried, bs_dup, x, of_carried, bs_const, 6);
    double dx[2] = {1, 0};
    double along = __backsweep_tangent(kept, bs_dup, x, dx, bs_const, 6);
    int wrong = check(kept, of_kept) + check(copied, of_copied) + check(carried, of_carried);
    if (!(fabs(along - of_kept[0]) <= 1e-5 * fabs(along)))
        wrong += printf("forward %.9g, reverse %.9g\n", along, of_kept[0]);
    return wrong != 0;
}
