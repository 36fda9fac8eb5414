/* The residual of bundle adjustment: where a camera sees a point, by the camera's nine numbers and the point's three. */
#include "../jacobian.h"

#define SEEN 512

static void set_up(double *x)
{
    for (size_t i = 0; i < SEEN; i++, x += 12) {
        for (size_t k = 0; k < 3; k++) {
            x[k] = 0.3 * bench_number(12 * i + k);
            x[3 + k] = 0.5 * bench_number(12 * i + 3 + k) - (k == 2 ? 8 : 0);
            x[9 + k] = bench_number(12 * i + 9 + k);
        }
        x[6] = 1 + 0.1 * bench_number(i);
        x[7] = 0.01;
        x[8] = 0.001;
    }
}

static void element(const double *restrict x, double *restrict f)
{
    const double *r = x;
    double m0 = x[9] - x[3], m1 = x[10] - x[4], m2 = x[11] - x[5];
    double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], angle = sqrt(square);
    double c = cos(angle), s = sin(angle) / angle, along = (1 - c) / square;
    double dot = (r[0] * m0 + r[1] * m1 + r[2] * m2) * along;
    double t0 = c * m0 + s * (r[1] * m2 - r[2] * m1) + dot * r[0];
    double t1 = c * m1 + s * (r[2] * m0 - r[0] * m2) + dot * r[1];
    double t2 = c * m2 + s * (r[0] * m1 - r[1] * m0) + dot * r[2];
    double u = t0 / t2, v = t1 / t2, radius = u * u + v * v;
    double focal = x[6] * (1 + radius * (x[7] + radius * x[8]));
    f[0] = focal * u - 0.1;
    f[1] = focal * v + 0.1;
}

static double number(const double *restrict x, double *restrict work)
{
    double sum = 0;
    for (int i = 0; i < SEEN; i++) {
        element(x + 12 * i, work);
        sum += work[0] * work[0] + work[1] * work[1];
    }
    return sum;
}

JACOBIAN_KERNEL(projection, SEEN, 12, 2, 2)
