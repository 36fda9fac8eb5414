/* Arrays that lie behind pointers in a struct, looked up in each pass: the pointers are looked up once in front of the loop, where nobody changes them
 * meanwhile, and not at all where the loop does not run. Where they change, each pass has its own. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 -DLEAN %pass %include %s -o %t.O2 -lm %runtime && %t.O2
// RUN: %clang -O3 -march=x86-64-v3 -DLEAN %pass %include %s -o %t.v3 -lm %runtime && %t.v3
// RUN: %clang -O1 -fsanitize=address,undefined %pass %include %s -o %t.asan -lm %runtime && %t.asan
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define N 40
#include "Inputs/differences.h"
#define STEPS 20

struct grid {
    int n, steps;
    double *u, *v, *k;
    struct grid *next;
};

/* A grid of the caller's: `v` may be `k`, and the step's factor and its sum are recorded for each cell, and no pointer. */
static double given(struct grid *g)
{
    for (int t = 0; t < g->steps; t++) {
        for (int i = 1; i < g->n - 1; i++)
            g->v[i] = g->u[i] + 0.1 * g->k[i] * (g->u[i - 1] + g->u[i + 1] - 2 * g->u[i]);
        for (int i = 1; i < g->n - 1; i++)
            g->u[i] = g->v[i];
    }
    double sum = 0;
    for (int i = 0; i < g->n; i++)
        sum += g->u[i] * g->u[i];
    return sum;
}

static struct grid *make(const double *x)
{
    struct grid *g = malloc(sizeof *g);
    *g = (struct grid){N, STEPS, malloc(N * 8), malloc(N * 8), malloc(N * 8), NULL};
    for (int i = 0; i < N; i++) {
        g->u[i] = g->v[i] = sin(0.3 * i) + x[i];
        g->k[i] = 1 + 0.1 * x[N - 1 - i];
    }
    return g;
}

static void end(struct grid *g)
{
    free(g->u);
    free(g->v);
    free(g->k);
    free(g);
}

/* A grid of its own, whose arrays change places: one number for each cell and step. */
static double own(const double *x)
{
    struct grid *g = make(x);
    for (int t = 0; t < g->steps; t++) {
        for (int i = 1; i < g->n - 1; i++)
            g->v[i] = g->u[i] + 0.1 * g->k[i] * (g->u[i - 1] + g->u[i + 1] - 2 * g->u[i]);
        double *u = g->u;
        g->u = g->v;
        g->v = u;
    }
    double sum = 0;
    for (int i = 0; i < g->n; i++)
        sum += g->u[i] * g->u[i];
    end(g);
    return sum;
}

/* There is nothing to look up behind a grid that is none. */
static double nothing(const double *x)
{
    struct grid *none = NULL, *g = make(x);
    double sum = 0;
    for (int t = 0; t < 3; t++) {
        struct grid *taken = t == 1 ? g : none;
        for (int i = 0; i < (taken ? taken->n : 0); i++) {
            taken->v[i] = taken->u[i] * taken->u[i];
            sum += taken->v[i] * taken->k[i];
        }
    }
    end(g);
    return sum;
}

/* The arrays change places in each pass of the loop that looks them up. */
static double turned(const double *x)
{
    struct grid *g = make(x);
    for (int i = 1; i < g->n - 1; i++) {
        g->v[i] = g->u[i] * g->u[i - 1] + 0.5 * g->k[i];
        double *u = g->u;
        g->u = g->v;
        g->v = u;
    }
    double sum = 0;
    for (int i = 0; i < g->n; i++)
        sum += g->u[i] + g->v[i] * g->v[i];
    end(g);
    return sum;
}

/* Behind a pointer behind a pointer, and the loop may be left before it looks one up. */
static double behind(const double *x)
{
    struct grid *g = make(x), *h = make(x);
    double sum = 0;
    g->next = h;
    for (int t = 0; t < 2; t++) {
        for (int i = 0; i < g->n; i++) {
            if (i > 30 && x[i] > 0.9)
                break;
            g->next->u[i] = g->u[i] * g->next->k[i] + t * g->next->u[i];
            sum += g->next->u[i] * g->next->u[i];
        }
        g->next = t ? NULL : h;
    }
    end(g);
    end(h);
    return sum;
}

static double of_given(const double *x)
{
    struct grid *g = make(x);
    double r = given(g);
    end(g);
    return r;
}

static size_t taped(void)
{
    struct bs_tape_stats stats;
    bs_tape_stats(NULL, &stats);
    return stats.total;
}

static int check_bytes(const char *name, size_t bytes, double most)
{
#ifdef LEAN
    if (bytes > most) {
        printf("%s: %zu bytes on the tape\n", name, bytes);
        return 1;
    }
#endif
    return 0;
}

int main(void)
{
    double x[N], d[N];
    for (int i = 0; i < N; i++)
        x[i] = 0.4 * cos(i);
    int wrong = 0;
    size_t before = taped();
    CHECK(own);
    wrong |= check_bytes("own", taped() - before, 1.25 * N * STEPS * 8);
    CHECK(nothing);
    CHECK(turned);
    CHECK(behind);

    struct grid *g = make(x), *dg = make(x);
    memset(dg->u, 0, N * 8);
    memset(dg->v, 0, N * 8);
    memset(dg->k, 0, N * 8);
    before = taped();
    __backsweep_gradient_void((void *)given, bs_dup, g, dg);
    wrong |= check_bytes("given", taped() - before, 2.25 * N * STEPS * 8);
    for (int i = 0; i < N; i++)
        d[i] = dg->u[i] + dg->v[i] + 0.1 * dg->k[N - 1 - i];
    wrong |= check("given", of_given, x, d);
    end(g);
    end(dg);
    return wrong;
}
