#include <stdio.h>

double costs(const double *x, int n, double s)
{
    double total = 0;
    /* The bound is not known on entry, so every pass goes on the tape. */
    for (int i = 0; i < n && total < 1e300; i++)
        total += x[i] * x[i];
    return total * s;
}

double pole(double x) { return 1 / x; }

double talking(double x)
{
    puts("talk");
    return x * x;
}

long double extended(const long double *x) { return x[0] * x[1] + x[2]; }
