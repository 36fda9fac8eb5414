/* Ways on which nothing can be singular are selected: leaks, limits, fluxes from where the wind comes, in one precision and in two; beside them ways
 * that have to stay, since what stands there is infinite, or no number, where they are not taken. */
// RUN: %levels %s double 0.8 1.3 -0.4 2.1 1.7
#include "source.h"
#include <math.h>

static double leaks(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double d = x[i] * x[(i + 1) % n] - 1;
        if (d < 0)
            d = 0.1 * d;
        double e = d - x[i];
        if (e > 0.5)
            e = 0.5 + 0.25 * (e - 0.5);
        else if (e < -0.5)
            e = -0.5;
        sum += exp(d) * e;
    }
    return sum;
}

static double limited(const double *x, int n)
{
    double sum = 0;
    for (int i = 1; i + 1 < n; i++) {
        double a = x[i] - x[i - 1], b = x[i + 1] - x[i], slope;
        if (a * b <= 0)
            slope = 0;
        else if (fabs(a) < fabs(b))
            slope = a;
        else
            slope = b;
        double left = x[i] + 0.5 * slope;
        sum += left * left * left;
    }
    return sum;
}

static double upwind(const double *x, int n)
{
    double u[5], v[5];
    for (int i = 0; i < n; i++)
        u[i] = x[i];
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i < n; i++) {
            double here = u[i], before = u[(i + n - 1) % n], behind = u[(i + 1) % n], step;
            if (here > 0.3)
                step = here - before;
            else
                step = behind - here;
            v[i] = here - 0.1 * here * step;
        }
        for (int i = 0; i < n; i++)
            u[i] = v[i];
    }
    return u[0] * u[1] + u[2] * u[3] + u[4];
}

/* What would be computed on the other way is no number, or infinite: its adjoint is zero, and so is what it adds. */
static double singular(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double far = x[i] * 1e200, d = x[i];
        if (x[i] > 100)
            d = far * far - 3 * far;
        if (x[i] > 50)
            d = HUGE_VAL * x[i];
        if (x[i] < -50)
            d = sqrt(x[i] + 49) + 2 * x[i];
        double log_of = x[i] > 0 ? 0 : -1, e = d;
        if (log_of == 0)
            e = d - 0.5 * log(fabs(x[i]));
        sum += d * e;
    }
    return sum;
}

static double two_precisions(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double d = x[i];
        long double wide = d * d;
        if (d > 1)
            wide = 2 * (long double)d - 0.5L;
        sum += (double)(wide * wide);
    }
    return sum;
}

double all(const double *x, int n)
{
    return leaks(x, n) + 0.3 * limited(x, n) + upwind(x, n) + 0.7 * singular(x, n) + 0.1 * two_precisions(x, n);
}

REQUESTS(all)
