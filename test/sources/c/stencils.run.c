/* Two buffers that swap roles every step, through pointers: a heat equation with a reaction; then an upwind scheme. */
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#include "source.h"
#include <math.h>
#include <stdlib.h>

enum { WIDTH = 10, HEIGHT = 7, STEPS = 4 };

static void diffuse(const double *restrict from, double *restrict to, double rate)
{
    for (int i = 1; i < HEIGHT - 1; i++)
        for (int j = 1; j < WIDTH - 1; j++) {
            int at = i * WIDTH + j;
            double laplace = from[at - 1] + from[at + 1] + from[at - WIDTH] + from[at + WIDTH] - 4 * from[at];
            to[at] = from[at] + rate * laplace + 0.01 * from[at] * (1 - from[at]);
        }
}

static void advect(double *u, int n, double speed)
{
    for (int i = n - 1; i > 0; i--)
        u[i] -= speed * fmax(u[i], 0) * (u[i] - u[i - 1]);
}

static double f(const double *x, int n)
{
    double *a = calloc(WIDTH * HEIGHT, sizeof *a), *b = calloc(WIDTH * HEIGHT, sizeof *b), sum = 0;
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        a[i] = b[i] = x[i % n] * cos(i);
    double *from = a, *to = b;
    for (int step = 0; step < STEPS; step++) {
        diffuse(from, to, 0.1 + 0.01 * x[0]);
        double *kept = from;
        from = to;
        to = kept;
    }
    advect(from, WIDTH * HEIGHT, 0.2);
    for (int i = 0; i < WIDTH * HEIGHT; i++)
        sum += from[i] * from[i] / (1 + i);
    free(a);
    free(b);
    return sum;
}

REQUESTS(f)
