// Columns of air with radiation in three bands and mixing: structs with long arrays, singles and bit fields, copied as a whole.
// RUN: %levels %s double 0.9 1.1 0.7 1.3
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

enum { LAYERS = 12, BANDS = 3 };

typedef struct {
    float emissivity, sun;
    double t[LAYERS], q[LAYERS], p[LAYERS + 1];
    struct {
        double up[LAYERS + 1], down[LAYERS + 1];
    } band[BANDS];
    unsigned warm : 1, layer : 7;
} column;

static double emitted(double t) { return 0.1 * t * t * t * t; }

static void radiate(column *c, const double *absorb)
{
    for (int b = 0; b < BANDS; b++) {
        double *up = c->band[b].up, *down = c->band[b].down;
        down[LAYERS] = b == 0 ? (double)c->sun : 0;
        for (int k = LAYERS - 1; k >= 0; k--) {
            double through = exp(-absorb[b] * c->q[k] * (c->p[k] - c->p[k + 1]));
            down[k] = down[k + 1] * through + (1 - through) * emitted(c->t[k]);
        }
        up[0] = c->emissivity * emitted(c->t[0]) + (1 - c->emissivity) * down[0];
        for (int k = 0; k < LAYERS; k++) {
            double through = exp(-absorb[b] * c->q[k] * (c->p[k] - c->p[k + 1]));
            up[k + 1] = up[k] * through + (1 - through) * emitted(c->t[k]);
        }
    }
    for (int k = 0; k < LAYERS; k++) {
        double net = 0;
        for (int b = 0; b < BANDS; b++)
            net += c->band[b].up[k] - c->band[b].up[k + 1] + c->band[b].down[k + 1] - c->band[b].down[k];
        c->t[k] += 0.05 * net / (c->p[k] - c->p[k + 1]);
    }
}

static void mix(double *restrict u, double kappa)
{
    double a[LAYERS], b[LAYERS], g[LAYERS];
    for (int k = 0; k < LAYERS; k++) {
        a[k] = -kappa;
        b[k] = 1 + (k == 0 || k == LAYERS - 1 ? 1 : 2) * kappa;
    }
    double pivot = b[0];
    u[0] /= pivot;
    for (int k = 1; k < LAYERS; k++) {
        g[k] = a[k - 1] / pivot;
        pivot = b[k] - a[k] * g[k];
        u[k] = (u[k] - a[k] * u[k - 1]) / pivot;
    }
    for (int k = LAYERS - 2; k >= 0; k--)
        u[k] -= g[k + 1] * u[k + 1];
}

static double f(const double *x, int n)
{
    column *c = malloc(2 * sizeof *c), kept;
    double absorb[BANDS] = {0.3 * x[0], 1.1 * x[0], 2.5 * x[0]}, y = 0;
    for (int m = 0; m < 2; m++) {
        memset(&c[m], 0, sizeof c[m]);
        c[m].emissivity = 0.9f;
        c[m].sun = 1.0f;
        c[m].warm = m;
        for (int k = 0; k <= LAYERS; k++)
            c[m].p[k] = 1 - 0.9 * k / LAYERS;
        for (int k = 0; k < LAYERS; k++) {
            c[m].t[k] = x[1] * (1 - 0.03 * k) + 0.01 * m;
            c[m].q[k] = 0.3 * x[2] * exp(-0.2 * k * x[n - 1]);
        }
    }
    for (int s = 0; s < 5; s++) {
        for (int m = 0; m < 2; m++) {
            radiate(&c[m], absorb);
            mix(c[m].t, 0.1 * x[3]);
            c[m].layer = s + m;
        }
        if (s == 2) {
            kept = c[0];
            c[0] = c[1];
            c[1] = kept;
        }
    }
    for (int m = 0; m < 2; m++)
        for (int k = 0; k < LAYERS; k++)
            y += c[m].t[k] * c[m].q[k] + (c[m].warm ? 0.1 * c[m].t[k] * c[m].layer : 0);
    free(c);
    return y;
}

REQUESTS(f)
