/* qsort: numbers, and structs whose order is told by one member; equal ones keep their order. bsearch: what is found, and what is not. */
// RUN: %clang -O0 -g %pass %s -o %t %runtime && %t
// RUN: %clang -O2 %pass %s -o %t %runtime && %t
// RUN: %clang -O3 %pass %s -o %t %runtime && %t
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

static double ranks(const double *x, int n)
{
    double squares[16], s = 0;
    for (int i = 0; i < n; i++) squares[i] = x[i] * x[i];
    qsort(squares, n, sizeof *squares, ascending);
    for (int i = 0; i < n; i++) s += i * squares[i];
    return s;
}

struct item { double key, value; };
static int by_key(const void *a, const void *b) { return ascending(&((const struct item *)a)->key, &((const struct item *)b)->key); }

static double items(const double *x, int n)
{
    struct item all[16];
    double s = 0;
    for (int i = 0; i < n; i++) {
        all[i].key = fabs(x[i]);
        all[i].value = x[i] * (i + 1);
    }
    qsort(all, n, sizeof *all, by_key);
    for (int i = 0; i < n; i++) s += i * all[i].value;
    return s;
}

static double found(const double *x, int n)
{
    double sorted[16], none = 100;
    for (int i = 0; i < n; i++) sorted[i] = x[i] * x[i];
    qsort(sorted, n, sizeof *sorted, ascending);
    double key = x[3] * x[3];
    double *place = bsearch(&key, sorted, n, sizeof *sorted, ascending);
    if (bsearch(&none, sorted, n, sizeof *sorted, ascending)) return 0;
    return *place * x[0];
}

int main(void)
{
    double x[7] = {3, -1, 2, 5, 4, -2, 0.5}, dx[7] = {0}, ranks_of[7] = {4, 1, 2, 6, 5, 3, 0};
    int failed = 0;
    __enzyme_autodiff((void *)ranks, x, dx, 7);
    for (int i = 0; i < 7; i++) {
        /* 2² and (-2)² are equal: together they weigh what their ranks do. */
        failed |= fabs(dx[i] - 2 * x[i] * ranks_of[i]) > 1e-12;
        dx[i] = 0;
    }
    __enzyme_autodiff((void *)items, x, dx, 7);
    for (int i = 0; i < 7; i++) failed |= fabs(dx[i] - (i + 1) * ranks_of[i]) > 1e-12;
    for (int i = 0; i < 7; i++) dx[i] = 0;
    __enzyme_autodiff((void *)found, x, dx, 7);
    for (int i = 0; i < 7; i++) failed |= fabs(dx[i] - (i == 0 ? 25 : i == 3 ? 2 * 5 * 3 : 0)) > 1e-12;
    if (failed) printf("wrong\n");
    return failed;
}
