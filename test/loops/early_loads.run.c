/* Fields that one loop reads at several places and writes others from: what a pass hands on to the next is loaded in front of what it stores, so
 * that LLVM makes vectors of the loop (`sources/fortran/fields_of_a_type` asks whether it does). Not where a store may change what is loaded,
 * in this pass or through another pointer. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime -lm && %t.O3
// RUN: %clang -O3 -ffast-math %pass %include %s -o %t.fast %runtime -lm && %t.fast
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

#define N 50

/* The second field is looked at only when the first is written. */
static void fields(const double *restrict u, const double *restrict v, double *restrict a, double *restrict b)
{
    for (int i = 1; i < N - 1; i++) {
        a[i] = u[i] - 0.1 * (u[i] * (u[i + 1] - u[i - 1]) + v[i] * 0.3);
        b[i] = v[i] - 0.1 * (u[i] * (v[i + 1] - v[i - 1]) + v[i] * v[i - 1]);
    }
}

/* What is stored is what the next load finds. */
static void in_place(const double *restrict u, const double *restrict v, double *restrict a, double *restrict b)
{
    for (int i = 0; i < N; i++)
        a[i] = u[i], b[i] = v[i];
    for (int i = 1; i < N - 1; i++) {
        b[i] = a[i] * a[i - 1] + v[i];
        a[i + 1] = a[i + 1] * b[i] + 0.1 * a[i];
    }
}

/* The same memory under two names: nothing is known of it, and the second call overlaps. */
static void overlapping(const double *restrict u, const double *restrict v, double *a, double *b)
{
    double both[2 * N] = {0}, *c = both, *d = both + (u[0] > 100 ? N : 1);
    for (int i = 0; i < N; i++)
        c[i] = u[i];
    for (int i = 1; i < N - 1; i++) {
        d[i] = c[i] * 0.5 + v[i] * c[i - 1];
        a[i] = c[i + 1] * c[i];
        b[i] = d[i - 1];
    }
}

typedef void kernel(const double *restrict, const double *restrict, double *restrict, double *restrict);

static double value(kernel *f, const double *x)
{
    double a[N] = {0}, b[N] = {0}, sum = 0;
    f(x, x + N, a, b);
    for (int i = 0; i < N; i++)
        sum += a[i] * (1 + 0.1 * i) + b[i] * (2 - 0.1 * i);
    return sum;
}

static void gradient(kernel *f, double *x, double *dx)
{
    double a[N] = {0}, b[N] = {0}, da[N], db[N];
    for (int i = 0; i < N; i++)
        da[i] = 1 + 0.1 * i, db[i] = 2 - 0.1 * i;
    if (f == fields)
        __backsweep_gradient_void((void *)fields, bs_dup, x, dx, bs_dup, x + N, dx + N, bs_dup, a, da, bs_dup, b, db);
    else if (f == in_place)
        __backsweep_gradient_void((void *)in_place, bs_dup, x, dx, bs_dup, x + N, dx + N, bs_dup, a, da, bs_dup, b, db);
    else
        __backsweep_gradient_void((void *)overlapping, bs_dup, x, dx, bs_dup, x + N, dx + N, bs_dup, a, da, bs_dup, b, db);
}

static int check(const char *name, kernel *f)
{
    double x[2 * N], dx[2 * N] = {0};
    int right = 1;
    for (int i = 0; i < 2 * N; i++)
        x[i] = 0.8 * sin(1 + 7 * i);
    gradient(f, x, dx);
    for (int i = 0; i < 2 * N; i++) {
        const double at = x[i], h = 1e-6;
        x[i] = at + h;
        double above = value(f, x);
        x[i] = at - h;
        double difference = (above - value(f, x)) / (2 * h);
        x[i] = at;
        if (!(fabs(difference - dx[i]) <= 1e-7 * (1 + fabs(difference)))) {
            printf("%s by number %d: %.10g, by differences %.10g\n", name, i, dx[i], difference);
            right = 0;
        }
    }
    return right;
}

int main(void)
{
    return !(check("fields", fields) & check("in_place", in_place) & check("overlapping", overlapping));
}
