/* Euler, midpoint, and Runge-Kutta of order 4 with fixed steps; an adaptive one of orders 2 and 3 that rejects steps. */
// RUN: %levels %s conditioned 1.1 0.7 0.3 0.9
#include "source.h"
#include <math.h>

/* The oscillator of van der Pol, with a drive. */
static void slope(double t, const double *y, double stiffness, double *dy)
{
    dy[0] = y[1];
    dy[1] = stiffness * (1 - y[0] * y[0]) * y[1] - y[0] + 0.3 * cos(t);
}

static void move(const double *y, const double *dy, double h, double *moved)
{
    for (int i = 0; i < 2; i++)
        moved[i] = y[i] + h * dy[i];
}

static void runge_kutta(double t, double *y, double stiffness, double h)
{
    double k1[2], k2[2], k3[2], k4[2], at[2];
    slope(t, y, stiffness, k1);
    move(y, k1, h / 2, at);
    slope(t + h / 2, at, stiffness, k2);
    move(y, k2, h / 2, at);
    slope(t + h / 2, at, stiffness, k3);
    move(y, k3, h, at);
    slope(t + h, at, stiffness, k4);
    for (int i = 0; i < 2; i++)
        y[i] += h / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
}

static int adaptive(double *y, double stiffness, double end, double tolerance)
{
    double t = 0, h = 0.5;
    int steps = 0;
    while (t < end) {
        if (t + h > end)
            h = end - t;
        double k1[2], k2[2], k3[2], at[2], error = 0;
        slope(t, y, stiffness, k1);
        move(y, k1, h, at);
        slope(t + h, at, stiffness, k2);
        for (int i = 0; i < 2; i++)
            at[i] = y[i] + h / 4 * (k1[i] + k2[i]);
        slope(t + h / 2, at, stiffness, k3);
        for (int i = 0; i < 2; i++)
            error = fmax(error, fabs(h / 3 * (k1[i] + k2[i] - 2 * k3[i])));
        if (error > tolerance) {
            h /= 2;
            continue;
        }
        for (int i = 0; i < 2; i++)
            y[i] += h / 6 * (k1[i] + k2[i] + 4 * k3[i]);
        t += h;
        steps++;
        if (error < tolerance / 16)
            h *= 2;
    }
    return steps;
}

static double f(const double *x, int n)
{
    double y[2] = {x[0], x[1]}, z[2] = {x[2], x[n - 1]};
    for (int i = 0; i < 20; i++)
        runge_kutta(0.05 * i, y, x[2], 0.05);
    int steps = adaptive(z, x[0], 1, 1e-3);
    return y[0] * y[1] + z[0] - z[1] * z[1] + steps;
}

REQUESTS(f)
