/* Bundle adjustment: squared errors of points seen by cameras with a rotation vector, a centre, a focal length and two
 * coefficients of radial distortion. */
#include "../program.h"

#define CAMERAS 16
#define POINTS 256
#define SEEN 2000
#define CAMERA 9
#define N (CAMERAS * CAMERA + 3 * POINTS)

static int cameras[SEEN], seen[SEEN];
static double features[SEEN][2];

static void set_up(double *x)
{
    for (size_t c = 0; c < CAMERAS; c++) {
        double *camera = x + c * CAMERA;
        for (size_t i = 0; i < 3; i++) {
            camera[i] = 0.3 * bench_number(c * CAMERA + i);
            camera[3 + i] = 0.5 * bench_number(c * CAMERA + 3 + i) - (i == 2 ? 8 : 0);
        }
        camera[6] = 1 + 0.1 * bench_number(c);
        camera[7] = 0.01;
        camera[8] = 0.001;
    }
    for (size_t i = 0; i < 3 * POINTS; i++)
        x[CAMERAS * CAMERA + i] = bench_number(i + 9);
    for (size_t s = 0; s < SEEN; s++) {
        cameras[s] = (int)(s * 7 % CAMERAS);
        seen[s] = (int)(s * 13 % POINTS);
        features[s][0] = 0.2 * bench_number(s);
        features[s][1] = 0.2 * bench_number(s + 1);
    }
}

/* Rodrigues' formula: v turned by the vector r. */
static void rotate(const double *r, const double *v, double *result)
{
    double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    double angle = sqrt(square), c = cos(angle), s = sin(angle) / angle, along = (1 - c) / square;
    double dot = (r[0] * v[0] + r[1] * v[1] + r[2] * v[2]) * along;
    result[0] = c * v[0] + s * (r[1] * v[2] - r[2] * v[1]) + dot * r[0];
    result[1] = c * v[1] + s * (r[2] * v[0] - r[0] * v[2]) + dot * r[1];
    result[2] = c * v[2] + s * (r[0] * v[1] - r[1] * v[0]) + dot * r[2];
}

static double primal(const double *restrict x, double *restrict work)
{
    double sum = 0;
    (void)work;
    for (int s = 0; s < SEEN; s++) {
        const double *camera = x + cameras[s] * CAMERA, *point = x + CAMERAS * CAMERA + 3 * seen[s];
        double moved[3], turned[3];
        for (int i = 0; i < 3; i++)
            moved[i] = point[i] - camera[3 + i];
        rotate(camera, moved, turned);
        double u = turned[0] / turned[2], v = turned[1] / turned[2], radius = u * u + v * v;
        double focal = camera[6] * (1 + radius * (camera[7] + radius * camera[8]));
        double e0 = focal * u - features[s][0], e1 = focal * v - features[s][1];
        sum += 0.5 * (e0 * e0 + e1 * e1);
    }
    return sum;
}

static void rotate_back(const double *r, const double *v, const double *d, double *dr, double *dv)
{
    double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    double angle = sqrt(square), c = cos(angle), sine = sin(angle), s = sine / angle, along = (1 - c) / square;
    double rv = r[0] * v[0] + r[1] * v[1] + r[2] * v[2];
    double cross[3] = {r[1] * v[2] - r[2] * v[1], r[2] * v[0] - r[0] * v[2], r[0] * v[1] - r[1] * v[0]};
    double d_c = d[0] * v[0] + d[1] * v[1] + d[2] * v[2];
    double d_s = d[0] * cross[0] + d[1] * cross[1] + d[2] * cross[2];
    double dr_ = d[0] * r[0] + d[1] * r[1] + d[2] * r[2];
    /* How c, s and along change with the angle, over the angle, because d(angle) = r·dr / angle. */
    double c_a = -sine / angle, s_a = (c - s) / square, along_a = (s - 2 * along) / square;
    double radial = d_c * c_a + d_s * s_a + dr_ * rv * along_a;
    for (int i = 0; i < 3; i++) {
        int j = (i + 1) % 3, k = (i + 2) % 3;
        /* The cross product's adjoints: v × d for r, d × r for v. */
        dr[i] += radial * r[i] + s * (v[j] * d[k] - v[k] * d[j]) + along * (dr_ * v[i] + rv * d[i]);
        dv[i] = c * d[i] + s * (d[j] * r[k] - d[k] * r[j]) + along * dr_ * r[i];
    }
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    (void)work, (void)dwork;
    for (int s = 0; s < SEEN; s++) {
        const double *camera = x + cameras[s] * CAMERA, *point = x + CAMERAS * CAMERA + 3 * seen[s];
        double *dcamera = dx + cameras[s] * CAMERA, *dpoint = dx + CAMERAS * CAMERA + 3 * seen[s];
        double moved[3], turned[3], dturned[3], dmoved[3];
        for (int i = 0; i < 3; i++)
            moved[i] = point[i] - camera[3 + i];
        rotate(camera, moved, turned);
        double u = turned[0] / turned[2], v = turned[1] / turned[2], radius = u * u + v * v;
        double distortion = 1 + radius * (camera[7] + radius * camera[8]), focal = camera[6] * distortion;
        double e0 = focal * u - features[s][0], e1 = focal * v - features[s][1];
        double dfocal = e0 * u + e1 * v, ddistortion = dfocal * camera[6];
        double dradius = ddistortion * (camera[7] + 2 * radius * camera[8]);
        double du = e0 * focal + 2 * u * dradius, dv = e1 * focal + 2 * v * dradius;
        dcamera[6] += dfocal * distortion;
        dcamera[7] += ddistortion * radius;
        dcamera[8] += ddistortion * radius * radius;
        dturned[0] = du / turned[2];
        dturned[1] = dv / turned[2];
        dturned[2] = -(du * u + dv * v) / turned[2];
        rotate_back(camera, moved, dturned, dcamera, dmoved);
        for (int i = 0; i < 3; i++) {
            dpoint[i] += dmoved[i];
            dcamera[3 + i] -= dmoved[i];
        }
    }
}

BENCH_PROGRAM(bundle_adjustment, N, 1)
