// RUN: %levels %s double 0.9 1.1 0.7 1.3 0.4 0.85 0.2 1.7
// A list that a function frees by calling itself, beside an array of records that grows by realloc.
#include "source.h"
#include <stdlib.h>
typedef struct list { double key; struct list *l; } list;
typedef struct { double when; int id; float weight; } event;
static void drop(list *t) { if (t) { drop(t->l); free(t); } }
static double f(const double *x, int n)
{
    list *root = NULL;
    double s = 0;
    for (int i = 0; i < 2 * n; i++) {
        list *t = malloc(sizeof *t);
        t->key = x[i % n]; t->l = root; root = t;
    }
    s += root->key;
    drop(root);
    struct { event *data; size_t len, cap; } q = {0};
    for (int i = 0; i < n; i++) {
        if (q.len == q.cap) { q.cap = q.cap ? 2 * q.cap : 2; q.data = realloc(q.data, q.cap * sizeof *q.data); }
        q.data[q.len++] = (event){.when = x[i], .id = i, .weight = 0.5f * i};
    }
    double now = 0;
    for (int steps = 0; steps < n; steps++) {
        event e = q.data[steps];
        s += (e.when - now) * (e.when - now) * e.weight;
        now = e.when;
    }
    free(q.data);
    return s;
}
REQUESTS(f)
