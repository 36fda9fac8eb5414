/* Flow in a driven cavity, as in MINPACK-2: the biharmonic equation of the stream function on a grid, thirteen points to a residual. */
#include "../jacobian.h"

#define POINTS 512
#define REYNOLDS 100.0
#define HX (1.0 / 33)
#define HY (1.0 / 33)

static void set_up(double *x)
{
    for (size_t i = 0; i < 13 * POINTS; i++)
        x[i] = 0.01 * bench_number(i);
}

static void element(const double *restrict x, double *restrict f)
{
    double p = x[0], pl = x[1], pr = x[2], pb = x[3], pt = x[4], pll = x[5], prr = x[6], pbb = x[7], ptt = x[8], pbl = x[9],
           pbr = x[10], ptl = x[11], ptr = x[12];
    double dpdy = (pt - pb) / (2 * HY), dpdx = (pr - pl) / (2 * HX);
    double below = (pbr - 2 * pb + pbl) / (HX * HX) + (p - 2 * pb + pbb) / (HY * HY);
    double left = (p - 2 * pl + pll) / (HX * HX) + (ptl - 2 * pl + pbl) / (HY * HY);
    double here = (pr - 2 * p + pl) / (HX * HX) + (pt - 2 * p + pb) / (HY * HY);
    double right = (prr - 2 * pr + p) / (HX * HX) + (ptr - 2 * pr + pbr) / (HY * HY);
    double above = (ptr - 2 * pt + ptl) / (HX * HX) + (ptt - 2 * pt + p) / (HY * HY);
    f[0] = (right - 2 * here + left) / (HX * HX) + (above - 2 * here + below) / (HY * HY) -
           REYNOLDS * (dpdy * (right - left) / (2 * HX) - dpdx * (above - below) / (2 * HY));
}

static double number(const double *restrict x, double *restrict work)
{
    double sum = 0;
    for (int i = 0; i < POINTS; i++) {
        element(x + 13 * i, work);
        sum += 1e-12 * work[0] * work[0];
    }
    return sum;
}

JACOBIAN_KERNEL(cavity, POINTS, 13, 1, 1)
