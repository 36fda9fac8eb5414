/* Fields that one loop reads at several places and writes others from: what a pass hands on to the next is loaded in front of what it stores, so
 * that LLVM makes vectors of the loop (`sources/fortran/fields_of_a_type` asks whether it does). Not where a store may change what is loaded,
 * in this pass or through another pointer. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime -lm && %t.O3
// RUN: %clang -O3 -ffast-math %pass %include %s -o %t.fast %runtime -lm && %t.fast
#include "backsweep.h"

#define CELLS 50
#define N (2 * CELLS)
#include "../memory/Inputs/differences.h"

/* The second field is looked at only when the first is written. */
static void fields(const double *restrict u, const double *restrict v, double *restrict a, double *restrict b)
{
    for (int i = 1; i < CELLS - 1; i++) {
        a[i] = u[i] - 0.1 * (u[i] * (u[i + 1] - u[i - 1]) + v[i] * 0.3);
        b[i] = v[i] - 0.1 * (u[i] * (v[i + 1] - v[i - 1]) + v[i] * v[i - 1]);
    }
}

/* What is stored is what the next load finds. */
static void in_place(const double *restrict u, const double *restrict v, double *restrict a, double *restrict b)
{
    for (int i = 0; i < CELLS; i++)
        a[i] = u[i], b[i] = v[i];
    for (int i = 1; i < CELLS - 1; i++) {
        b[i] = a[i] * a[i - 1] + v[i];
        a[i + 1] = a[i + 1] * b[i] + 0.1 * a[i];
    }
}

/* The same memory under two names: nothing is known of it, and the second call overlaps. */
static void overlapping(const double *restrict u, const double *restrict v, double *a, double *b)
{
    double both[2 * CELLS] = {0}, *c = both, *d = both + (u[0] > 100 ? CELLS : 1);
    for (int i = 0; i < CELLS; i++)
        c[i] = u[i];
    for (int i = 1; i < CELLS - 1; i++) {
        d[i] = c[i] * 0.5 + v[i] * c[i - 1];
        a[i] = c[i + 1] * c[i];
        b[i] = d[i - 1];
    }
}

/* Both results, by both fields. */
#define SUM(f)                                                                                                         \
    static double sum_of_##f(const double *x)                                                                          \
    {                                                                                                                  \
        double a[CELLS] = {0}, b[CELLS] = {0}, sum = 0;                                                                \
        f(x, x + CELLS, a, b);                                                                                         \
        for (int i = 0; i < CELLS; i++)                                                                                \
            sum += a[i] * (1 + 0.1 * i) + b[i] * (2 - 0.1 * i);                                                        \
        return sum;                                                                                                    \
    }

SUM(fields)
SUM(in_place)
SUM(overlapping)

int main(void)
{
    double x[N];
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = 0.8 * sin(1 + 7 * i);
    CHECK(sum_of_fields);
    CHECK(sum_of_in_place);
    CHECK(sum_of_overlapping);
    return wrong;
}
