/* Flow in a channel, as in MINPACK-2: u'''' = R (u' u'' - u u''') by collocation at four points of each interval, where u is a polynomial
 * of degree seven. The residual of an interval by its eight coefficients. */
#include "../jacobian.h"

#define INTERVALS 256
#define REYNOLDS 10.0

static const double points[4] = {0.0694318442029737, 0.330009478207571868, 0.669990521792428132, 0.9305681557970263};

static void set_up(double *x)
{
    for (size_t i = 0; i < 8 * INTERVALS; i++)
        x[i] = 0.5 * bench_number(i);
}

static double power(double t, int n)
{
    double p = 1;
    for (int i = 0; i < n; i++)
        p *= t;
    return p;
}

static void element(const double *restrict x, double *restrict f)
{
    for (int k = 0; k < 4; k++) {
        double t = points[k], w[5];
        for (int m = 0; m < 5; m++) {
            double factorial = 1;
            w[m] = 0;
            for (int j = m; j < 8; j++) {
                w[m] += power(t, j - m) / factorial * x[j];
                factorial *= j - m + 1;
            }
        }
        f[k] = w[4] - REYNOLDS * (w[1] * w[2] - w[0] * w[3]);
    }
    /* What has to go over into the next interval. */
    for (int m = 0; m < 4; m++) {
        double factorial = 1;
        f[4 + m] = 0;
        for (int j = m; j < 8; j++) {
            f[4 + m] += x[j] / factorial;
            factorial *= j - m + 1;
        }
    }
}

static double number(const double *restrict x, double *restrict work)
{
    double sum = 0;
    for (int i = 0; i < INTERVALS; i++) {
        element(x + 8 * i, work);
        for (int k = 0; k < 8; k++)
            sum += work[k] * work[k];
    }
    return sum;
}

JACOBIAN_KERNEL(channel, INTERVALS, 8, 8, 8)
