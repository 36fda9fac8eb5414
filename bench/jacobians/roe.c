/* Roe's flux between two states of a gas in two dimensions; and a row of cells that it moves in time. */
#include "../jacobian.h"

#define FACES 512
#define CELLS 128
#define STEPS 24
#define GAMMA 1.4

static void set_up(double *x)
{
    for (size_t i = 0; i < 2 * FACES; i++) {
        x[4 * i] = 1 + 0.2 * bench_number(i);
        x[4 * i + 1] = 0.3 + 0.1 * bench_number(i + 1);
        x[4 * i + 2] = 0.1 * bench_number(i + 2);
        x[4 * i + 3] = 1 + 0.2 * bench_number(i + 3);
    }
}

/* Density, velocities and pressure on both sides; flux of mass, momenta and energy. */
static void element(const double *restrict x, double *restrict f)
{
    double rl = x[0], ul = x[1], vl = x[2], pl = x[3], rr = x[4], ur = x[5], vr = x[6], pr = x[7];
    double el = pl / (GAMMA - 1) + 0.5 * rl * (ul * ul + vl * vl), er = pr / (GAMMA - 1) + 0.5 * rr * (ur * ur + vr * vr);
    double hl = (el + pl) / rl, hr = (er + pr) / rr;
    double wl = sqrt(rl), wr = sqrt(rr), total = wl + wr;
    double u = (wl * ul + wr * ur) / total, v = (wl * vl + wr * vr) / total, h = (wl * hl + wr * hr) / total;
    double square = (GAMMA - 1) * (h - 0.5 * (u * u + v * v)), a = sqrt(square), r = wl * wr;
    double dr = rr - rl, du = ur - ul, dv = vr - vl, dp = pr - pl;
    double s1 = fabs(u - a), s2 = fabs(u), s3 = fabs(u + a);
    double a1 = s1 * (dp - r * a * du) / (2 * square), a2 = s2 * (dr - dp / square), a3 = s3 * (dp + r * a * du) / (2 * square);
    double a4 = s2 * r * dv;
    f[0] = 0.5 * (rl * ul + rr * ur - (a1 + a2 + a3));
    f[1] = 0.5 * (rl * ul * ul + pl + rr * ur * ur + pr - (a1 * (u - a) + a2 * u + a3 * (u + a)));
    f[2] = 0.5 * (rl * ul * vl + rr * ur * vr - (a1 * v + a2 * v + a3 * v + a4));
    f[3] = 0.5 * (ul * (el + pl) + ur * (er + pr) - (a1 * (h - u * a) + a2 * 0.5 * (u * u + v * v) + a3 * (h + u * a) + a4 * v));
}

/* work: the states, and the flux into each cell. */
static double number(const double *restrict x, double *restrict work)
{
    double *w = work, *flux = work + 4 * CELLS, sum = 0;
    for (int i = 0; i < 4 * CELLS; i++)
        w[i] = x[i];
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i + 1 < CELLS; i++)
            element(w + 4 * i, flux + 4 * i);
        for (int i = 1; i + 1 < CELLS; i++) {
            double r = w[4 * i], u = w[4 * i + 1], v = w[4 * i + 2], e = w[4 * i + 3] / (GAMMA - 1) + 0.5 * r * (u * u + v * v);
            double c = 0.05, mr = r * u, mv = r * v;
            r -= c * (flux[4 * i] - flux[4 * i - 4]);
            mr -= c * (flux[4 * i + 1] - flux[4 * i - 3]);
            mv -= c * (flux[4 * i + 2] - flux[4 * i - 2]);
            e -= c * (flux[4 * i + 3] - flux[4 * i - 1]);
            w[4 * i] = r;
            w[4 * i + 1] = mr / r;
            w[4 * i + 2] = mv / r;
            w[4 * i + 3] = (GAMMA - 1) * (e - 0.5 * (mr * mr + mv * mv) / r);
        }
    }
    for (int i = 0; i < 4 * CELLS; i++)
        sum += w[i] * w[i];
    return sum;
}

JACOBIAN_KERNEL(roe, FACES, 8, 4, 8 * CELLS)
