// Multigrid: a list of grids with arrays of their own, each cleared where the recursion comes to it.
// RUN: %levels %s double 0.9 1.1 0.7 1.3
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

typedef struct level {
    int n;
    double h, *u, *f, *r;
    struct level *coarse;
} level;

static level *make(int n, double h)
{
    level *l = calloc(1, sizeof *l);
    l->n = n;
    l->h = h;
    l->u = calloc(n + 1, sizeof *l->u);
    l->f = calloc(n + 1, sizeof *l->f);
    l->r = calloc(n + 1, sizeof *l->r);
    l->coarse = n > 2 ? make(n / 2, 2 * h) : NULL;
    return l;
}

static void drop(level *l)
{
    if (!l)
        return;
    drop(l->coarse);
    free(l->u);
    free(l->f);
    free(l->r);
    free(l);
}

static void smooth(level *l, double k, int sweeps)
{
    while (sweeps--)
        for (int colour = 1; colour >= 0; colour--)
            for (int i = 1 + colour; i < l->n; i += 2)
                l->u[i] =
                    (l->f[i] * l->h * l->h + k * (l->u[i - 1] + l->u[i + 1])) / (2 * k + 0.1 * l->h * l->h);
}

static void cycle(level *l, double k)
{
    smooth(l, k, 2);
    if (!l->coarse)
        return;
    level *c = l->coarse;
    for (int i = 1; i < l->n; i++)
        l->r[i] =
            l->f[i] - (k * (2 * l->u[i] - l->u[i - 1] - l->u[i + 1]) / (l->h * l->h) + 0.1 * l->u[i]);
    memset(c->u, 0, (c->n + 1) * sizeof *c->u);
    for (int i = 1; i < c->n; i++)
        c->f[i] = 0.25 * (l->r[2 * i - 1] + 2 * l->r[2 * i] + l->r[2 * i + 1]);
    cycle(c, k);
    for (int i = 0; i < c->n; i++) {
        l->u[2 * i] += c->u[i];
        l->u[2 * i + 1] += 0.5 * (c->u[i] + c->u[i + 1]);
    }
    smooth(l, k, 2);
}

static double f(const double *x, int n)
{
    level *top = make(16, 1.0 / 16);
    for (int i = 0; i <= 16; i++)
        top->f[i] = x[i % n] * sin(i * x[0] * 0.2);
    top->u[0] = x[1];
    top->u[16] = x[2];
    for (int v = 0; v < 3; v++)
        cycle(top, x[3]);
    double y = 0;
    for (int i = 0; i <= 16; i++)
        y += top->u[i] * top->u[i];
    drop(top);
    return y;
}

REQUESTS(f)
