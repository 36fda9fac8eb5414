/* A sort moves values about by branches on the values; the weighted sum of the sorted ones follows them. */
// RUN: %levels %s double 0.8 1.3 -0.4 2.1 0.1 -3 0.5
#include "source.h"
#include <stdlib.h>

static void sort(double *a, int n)
{
    for (int i = 1; i < n; i++) {
        double moved = a[i];
        int j = i - 1;
        for (; j >= 0 && a[j] > moved; j--)
            a[j + 1] = a[j];
        a[j + 1] = moved;
    }
}

static double f(const double *x, int n)
{
    double *a = malloc(n * sizeof *a), sum = 0;
    for (int i = 0; i < n; i++)
        a[i] = x[i] * x[i] - x[i];
    sort(a, n);
    for (int i = 0; i < n; i++)
        sum += (i + 1) * a[i] * a[i];
    free(a);
    return sum;
}

REQUESTS(f)
