/* Van der Pol's equation by Heun's method with a step that follows the error, by the damping and the start. The length of each
 * step depends on what is differentiated for, and so does what is derived. */
#include "../program.h"

#define END 12.0
#define TOLERANCE 1e-6
#define MOST_STEPS 100000

static void set_up(double *x)
{
    const double start[3] = {1.5, 2, 0.1};
    for (int i = 0; i < 3; i++)
        x[i] = start[i];
}

static double primal(const double *restrict x, double *restrict work)
{
    double p = x[1], v = x[2], t = 0, h = 1e-3, sum = 0;
    (void)work;
    for (int step = 0; step < MOST_STEPS; step++) {
        const int last = h >= END - t;
        const double s = last ? END - t : h;
        const double p1 = v, v1 = x[0] * (1 - p * p) * v - p;
        const double q = p + s * p1, w = v + s * v1;
        const double p2 = w, v2 = x[0] * (1 - q * q) * w - q;
        const double ep = s / 2 * (p2 - p1), ev = s / 2 * (v2 - v1), error = sqrt(ep * ep + ev * ev);
        double factor = 0.9 * sqrt(TOLERANCE / error);
        if (factor < 0.2)
            factor = 0.2;
        if (factor > 5)
            factor = 5;
        if (error <= TOLERANCE) {
            p += s / 2 * (p1 + p2);
            v += s / 2 * (v1 + v2);
            t += s;
            sum += s * p * p;
            if (last)
                break;
        }
        h = s * factor;
    }
    return sum;
}

/* What a step began with, and which ways it went. */
struct step {
    double p, v, t, s, factor;
    int last, accepted, bounded;
};

/* The slopes at a point, times what is wanted of them, added to the derivatives of the point and the damping. */
static void slope_back(double mu, double p, double v, double dp1, double dv1, double *dp, double *dv, double *dmu)
{
    *dp -= (2 * mu * p * v + 1) * dv1;
    *dv += dp1 + mu * (1 - p * p) * dv1;
    *dmu += (1 - p * p) * v * dv1;
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    static struct step steps[MOST_STEPS];
    double p = x[1], v = x[2], t = 0, h = 1e-3, dp = 0, dv = 0, dt = 0, dh = 0, dmu = 0;
    const double mu = x[0];
    int count = 0;
    (void)work, (void)dwork;
    for (int done = 0; !done && count < MOST_STEPS; count++) {
        struct step *k = &steps[count];
        k->last = h >= END - t;
        k->p = p, k->v = v, k->t = t, k->s = k->last ? END - t : h;
        const double s = k->s, p1 = v, v1 = mu * (1 - p * p) * v - p, q = p + s * p1, w = v + s * v1;
        const double p2 = w, v2 = mu * (1 - q * q) * w - q;
        const double ep = s / 2 * (p2 - p1), ev = s / 2 * (v2 - v1), error = sqrt(ep * ep + ev * ev);
        k->factor = 0.9 * sqrt(TOLERANCE / error);
        k->bounded = k->factor < 0.2 || k->factor > 5;
        k->factor = k->factor < 0.2 ? 0.2 : k->factor > 5 ? 5 : k->factor;
        k->accepted = error <= TOLERANCE;
        if (k->accepted) {
            p += s / 2 * (p1 + p2);
            v += s / 2 * (v1 + v2);
            t += s;
            done = k->last;
        }
        h = s * k->factor;
    }
    while (count-- > 0) {
        const struct step *k = &steps[count];
        const double s = k->s, p1 = k->v, v1 = mu * (1 - k->p * k->p) * k->v - k->p;
        const double q = k->p + s * p1, w = k->v + s * v1, p2 = w, v2 = mu * (1 - q * q) * w - q;
        double ds = dh * k->factor, dp1 = 0, dv1 = 0, dp2 = 0, dv2 = 0, dq = 0, dw = 0;
        if (!k->bounded) {
            /* factor = c / sqrt(error), and error^2 = ep^2 + ev^2 */
            const double ep = s / 2 * (p2 - p1), ev = s / 2 * (v2 - v1), square = ep * ep + ev * ev;
            const double dsquare = dh * s * -0.25 * k->factor / square, dep = 2 * ep * dsquare, dev = 2 * ev * dsquare;
            ds += (dep * (p2 - p1) + dev * (v2 - v1)) / 2;
            dp1 -= s / 2 * dep, dp2 += s / 2 * dep;
            dv1 -= s / 2 * dev, dv2 += s / 2 * dev;
        }
        if (k->accepted) {
            const double next = k->p + s / 2 * (p1 + p2);
            dp += 2 * s * next;
            ds += next * next + dt + (dp * (p1 + p2) + dv * (v1 + v2)) / 2;
            dp1 += s / 2 * dp, dp2 += s / 2 * dp;
            dv1 += s / 2 * dv, dv2 += s / 2 * dv;
        }
        slope_back(mu, q, w, dp2, dv2, &dq, &dw, &dmu);
        dp += dq, dv += dw;
        ds += dq * p1 + dw * v1;
        dp1 += s * dq, dv1 += s * dw;
        slope_back(mu, k->p, k->v, dp1, dv1, &dp, &dv, &dmu);
        dh = k->last ? 0 : ds;
        dt -= k->last ? ds : 0;
    }
    dx[0] += dmu;
    dx[1] += dp;
    dx[2] += dv;
}

BENCH_PROGRAM(adaptive_ode, 3, 1)
