// RUN: %levels %s double 0.9 1.1 0.7 1.3 0.4
// Vectors of a length that is known when the program runs, copied and handed to functions, in a file with tagged nodes.
#include "source.h"
#include <string.h>
#include <stdlib.h>
#include <math.h>
union u { double d; int i; };
typedef struct node { int kind; union u u; struct node *l, *r; } node;
static node *make(int k) { node *n = malloc(sizeof *n); n->kind = k; if (k > 1) { n->u.d = k * .5; n->l = make(k - 1); n->r = make(k - 2); } else n->u.i = k; return n; }
static void drop(node *n) { if (n->kind > 1) { drop(n->l); drop(n->r); } free(n); }
static double eval(const node *n, const double *v)
{
    if (n->kind <= 1) return v[n->u.i];
    return n->u.d * eval(n->l, v) * sin(eval(n->r, v));
}
static void step(const node *t, double *u, int n, int depth)
{
    double w[n];
    memcpy(w, u, n * sizeof *w);
    for (int i = 0; i < n; i++) u[i] = 0.5 * w[(i + 1) % n] + eval(t, w) * 0.1;
    if (depth) step(t, u, n, depth - 1);
}
static double f(const double *x, int n)
{
    node *d = make(4);
    double *u = malloc(n * sizeof *u), *keep = malloc(n * sizeof *u), s = 0;
    memcpy(u, x, n * sizeof *u);
    step(d, u, n, 3);
    memcpy(keep, u, n * sizeof *u);
    step(d, keep, n, 2);
    for (int i = 0; i < n; i++) s += u[i] * keep[i];
    free(u); free(keep);
    drop(d);
    return s;
}
REQUESTS(f)
