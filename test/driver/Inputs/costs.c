#include <math.h>
#include <stdio.h>

double costs(const double *x, int n, double s)
{
    double total = 0;
    for (int i = 0; i < n; i++)
        total += x[i] * x[i];
    return total * s;
}

/* Each pass needs what the one before has made, and the sine cannot be undone: something has to be recorded. */
double chain(double x, int n)
{
    for (int i = 0; i < n; i++)
        x = x * sin(x) + 1;
    return x;
}

double pole(double x) { return 1 / x; }

double talking(double x)
{
    puts("talk");
    return x * x;
}

long double extended(const long double *x) { return x[0] * x[1] + x[2]; }
