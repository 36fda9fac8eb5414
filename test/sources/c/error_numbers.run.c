/* What became of a function of numbers is asked by `errno`: arguments outside of its range, results too large, in a loop, behind calls
 * and where the value itself is not needed. */
// RUN: %levels %s double 0.8 -1.3 400.0 2.1 -0.35 1.7
#include "source.h"
#include <errno.h>
#include <math.h>

/* Fast arithmetic leaves no error numbers: there the arguments tell. */
static int failed(int expected)
{
    return (math_errhandling & MATH_ERRNO) != 0 ? errno != 0 : expected;
}

static double logarithm(double x)
{
    errno = 0;
    double l = log(x);
    return failed(x <= 0.0) ? x * x + 3.0 : l;
}

__attribute__((noinline)) static int try_power(double x, double exponent, double *power)
{
    errno = 0;
    *power = pow(x, exponent);
    return failed(x < 0.0);
}

/* The last error number is handed from pass to pass. */
static double roots(const double *x, int n)
{
    double sum = 0.0;
    int bad = 0;
    errno = 0;
    for (int i = 0; i < n; i++) {
        double root = sqrt(x[i]);
        if (failed(x[i] < 0.0)) {
            bad++;
            sum += bad * sin(x[i]);
            errno = 0;
        } else {
            sum += root;
        }
    }
    return sum * (1 + bad);
}

/* Only the error number is of use here. */
static int overflows(double x)
{
    errno = 0;
    (void)exp(3.0 * x);
    return failed(x > 300.0);
}

static double f(const double *x, int n)
{
    double sum = roots(x, n);
    for (int i = 0; i < n; i++) {
        double power;
        sum += logarithm(x[i]);
        if (try_power(x[i], 2.5, &power))
            power = 0.25 * x[i];
        sum += power;
        sum *= overflows(x[i]) ? 1.0 / x[i] : 1.0 + 0.1 * x[i];
    }
    return sum;
}

REQUESTS(f)
