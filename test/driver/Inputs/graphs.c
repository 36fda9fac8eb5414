#include <math.h>

double wave(double a, double b) { return sin(a * b) * exp(a); }

double two_ways(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double d = sin(x[i]);
        if (d > 0.1)
            d = exp(d) * cos(d);
        sum += d * d;
    }
    return sum;
}

double leaky(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double d = sin(x[i]);
        if (d > 0.1)
            d = 2.5 * d - 1;
        sum += exp(d) * d;
    }
    return sum;
}
