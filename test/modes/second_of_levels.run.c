/* Tangents of the gradient of functions that call themselves: one gives a pointer back, so that its halves give it with its shadow; the
 * other clears an array that is found in a level, and its second half clears the shadow, of which it sees nothing else. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 -lm %runtime && %t.O2
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

typedef struct level {
    int n;
    double *u, *f, *r, *k;
    struct level *coarse;
} level;

static level *make(int n, const double *x)
{
    level *l = malloc(sizeof *l);
    l->n = n;
    l->coarse = NULL;
    l->u = calloc(4 * n, sizeof(double));
    l->f = l->u + n;
    l->r = l->f + n;
    l->k = l->r + n;
    for (int i = 0; i < n; i++)
        l->k[i] = 1 + x[0] * i / n + x[1] * sin(3.0 * i / n);
    if (n > 2)
        l->coarse = make(n / 2, x);
    return l;
}

static void drop(level *l)
{
    if (!l)
        return;
    drop(l->coarse);
    free(l->u);
    free(l);
}

static void smooth(level *l, int sweeps)
{
    while (sweeps-- > 0)
        for (int i = 1; i < l->n - 1; i++)
            l->u[i] = (l->k[i] * l->k[i] * (l->u[i - 1] + l->u[i + 1]) + l->f[i]) / (2 + l->k[i] * l->k[i + 1]);
}

static void cycle(level *l)
{
    smooth(l, 2);
    if (!l->coarse)
        return;
    for (int i = 0; i < l->n; i++)
        l->r[i] = l->f[i] - l->u[i] * l->k[i];
    level *c = l->coarse;
    memset(c->u, 0, sizeof(double) * c->n);
    for (int i = 1; i < c->n - 1; i++)
        c->f[i] = 0.5 * l->r[2 * i] + 0.25 * (l->r[2 * i - 1] + l->r[2 * i + 1]);
    for (int again = 0; again < 2; again++)
        cycle(c);
    for (int i = 1; i < c->n - 1; i++)
        l->u[2 * i] += c->u[i];
    smooth(l, 1);
}

double f(const double *x, int n)
{
    level *l = make(16, x);
    for (int i = 0; i < l->n; i++)
        l->f[i] = x[2] * exp(-x[3] * i * i / 64.0);
    for (int i = 0; i < 2; i++)
        cycle(l);
    double sum = 0;
    for (int i = 0; i < l->n; i++)
        sum += l->u[i] * l->u[i] * l->k[i];
    drop(l);
    return sum;
}

static void gradient(const double *x, double *dx, int n)
{
    __backsweep_gradient((void *)f, bs_dup, x, dx, bs_const, n);
}

enum { N = 4 };

int main(void)
{
    const double x[N] = {0.3, 0.7, 0.9, 1.1}, v[N] = {0.3, -0.2, 0.5, 0.1}, h = 1e-5;
    double g[N] = {0}, hv[N] = {0}, ahead[N] = {0}, behind[N] = {0}, up[N], down[N];
    __backsweep_tangent((void *)gradient, bs_dup, x, v, bs_dup, g, hv, bs_const, N);
    for (int i = 0; i < N; i++)
        up[i] = x[i] + h * v[i], down[i] = x[i] - h * v[i];
    gradient(up, ahead, N);
    gradient(down, behind, N);
    int bad = 0;
    for (int i = 0; i < N; i++) {
        double expected = (ahead[i] - behind[i]) / (2 * h);
        if (fabs(hv[i] - expected) > 1e-7 * fmax(1, fabs(expected))) {
            printf("%d: %.12g, not %.12g\n", i, hv[i], expected);
            bad = 1;
        }
        double one[N] = {0};
        one[i] = 1;
        double first = __backsweep_tangent((void *)f, bs_dup, x, one, bs_const, N);
        if (fabs(g[i] - first) > 5e-13 * fmax(1, fabs(first))) {
            printf("gradient %d: %.15g, not %.15g\n", i, g[i], first);
            bad = 1;
        }
    }
    return bad;
}
