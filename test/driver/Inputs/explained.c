#include <math.h>

/* Overwrites what it reads, and records it. */
double march(double *u, int n, int steps)
{
    double sum = 0;
    for (int t = 0; t < steps; t++)
        for (int i = 1; i < n; i++)
            u[i] = u[i] * u[i - 1];
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i];
    return sum;
}

/* Reads again what nobody overwrites: no tape. */
double quiet(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i] * x[i];
    return sum;
}

/* The same through two names that may be one. */
double named(double *x, double *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i];
    return y[0] + y[n - 1];
}

struct view {
    double *data;
};

/* An address that is read from memory each time: no test on entry, so the names stay in the way. */
double behind(double *x, struct view *y, int n)
{
    for (int i = 0; i < n; i++)
        y->data[i] = x[i] * x[i];
    return y->data[0];
}

double powers(double x, int n)
{
    double p = 1, sum = 0;
    for (int i = 0; i < n; i++) {
        p = p * sin(p) + x;
        sum += p > 2 || p < -2 ? p * p : x;
    }
    return sum;
}

#ifdef REFUSED
double unknown(double);
double refused(double x) { return x * unknown(x); }
#endif
double factorial(double x, int n) { return n <= 1 ? x : x * factorial(x - 1, n - 1); }

double strips(const double *restrict x, int n)
{
    double a = 0, f = 0;
    for (int i = 0; i < n; i++) {
        a += x[i] * x[i];
        f += sin(a);
    }
    return f;
}

double rows(const double *restrict x, int n)
{
    double sum = 0;
    for (int r = 0; r < n; r++) {
        double dot = 0;
        for (int c = 0; c < n; c++)
            dot += x[r * n + c] * x[c];
        sum += dot * dot;
    }
    return sum;
}

/* One sweep over what the caller looks at: to keep what it leaves costs more than to record what is read. */
double once(double *u, int n)
{
    for (int i = 1; i < n; i++)
        u[i] = u[i] * u[i - 1];
    return u[n - 1];
}
