/* Numbers are moved by twos and threes, or one by one, and each is read by an index of its own: every second, in a row, or by a table. They are
   numbers all the same, and what they point out is differentiated. A float beside each is one. */
// RUN: %clang -O0 -g %include %pass %s -o %t %runtime -lm && %t
// RUN: %clang -O1 -g %include %pass %s -o %t %runtime -lm && %t
// RUN: %clang -O3 -fno-strict-aliasing %include %pass %s -o %t %runtime -lm && %t
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

struct edge {
    int a, b;
};

struct record {
    int id;
    float weight;
};

enum { E = 6, N = 8 };

static void by_edges(const double *x, double *y, const void *table, int n)
{
    const struct edge *from = table;
    struct edge mine[E];
    for (int e = 0; e < n; e++)
        mine[n - 1 - e] = from[e];
    for (int e = 0; e < n; e++)
        y[mine[e].a] += x[mine[e].b] * x[mine[e].a];
}

static void one_by_one(const double *x, double *y, const void *table, int n)
{
    const int *from = table;
    int mine[2 * E];
    for (int e = 0; e < 2 * n; e++)
        mine[e] = from[e];
    for (int e = 0; e < n; e++)
        y[mine[2 * e]] += x[mine[2 * e + 1]] * x[mine[2 * e]];
}

static void by_jumps(const double *x, double *y, const void *table, int n)
{
    const int *from = table;
    int mine[2 * E], at = 0;
    for (int e = 0; e < n; e++)
        memcpy(mine + 2 * e, from + 2 * e, 2 * sizeof *mine);
    for (int e = 0; e < n; e++) {
        y[e] += x[mine[at]] * x[mine[at]];
        at = (at + 5) % (2 * n);
    }
}

static void by_threes(const double *x, double *y, const void *table, int n)
{
    const int *from = table;
    int mine[3 * E];
    for (int e = 0; e < 3 * n; e++)
        mine[e] = from[e % (2 * n)];
    for (int e = 0; e < n; e++)
        for (int k = 0; k < 3; k++)
            y[e] += x[mine[3 * e + k]] * x[mine[3 * e]];
}

static void in_a_row(const double *x, double *y, const void *table, int n)
{
    struct two {
        int v[2];
    } mine[E];
    for (int e = 0; e < n; e++)
        mine[e] = ((const struct two *)table)[e];
    for (int e = 0; e < n; e++)
        for (int k = 0; k < 2; k++)
            y[e] += x[mine[e].v[k]] * x[mine[e].v[0]];
}

static void by_swaps(const double *x, double *y, const void *table, int n)
{
    const int *from = table;
    int place[N];
    for (int i = 0; i < N; i++)
        place[i] = i;
    for (int i = 0; i < n; i++) {
        int kept = place[i];
        place[i] = place[from[i]];
        place[from[i]] = kept;
    }
    for (int i = 0; i < N; i++)
        y[i] += x[place[place[i]]] * x[i];
}

static void beside_floats(const float *x, float *y, const struct record *from, int n)
{
    struct record mine[E], sorted[E];
    for (int e = 0; e < n; e++) {
        mine[e] = from[e];
        mine[e].weight *= x[e];
    }
    for (int e = 0; e < n; e++)
        sorted[mine[e].id] = mine[e];
    for (int e = 0; e < n; e++)
        y[e] = sorted[e].weight * sorted[e].weight;
}

static const int table[2 * E] = {1, 2, 3, 4, 5, 6, 7, 0, 2, 5, 4, 1};
static const double weight[N] = {1, 1.2, 1.4, 1.6, 1.8, 2, 2.2, 2.4};

typedef void Kernel(const double *, double *, const void *, int);

static double weighed(Kernel *f, const double *x, int changed, double by)
{
    double at[N], y[N] = {0}, sum = 0;
    memcpy(at, x, sizeof at);
    at[changed] += by;
    f(at, y, table, E);
    for (int i = 0; i < N; i++)
        sum += weight[i] * y[i];
    return sum;
}

static int differs(const char *name, Kernel *f, const double *x, const double *dx)
{
    int bad = 0;
    for (int i = 0; i < N; i++) {
        double slope = (weighed(f, x, i, 1e-6) - weighed(f, x, i, -1e-6)) / 2e-6;
        if (!(fabs(slope - dx[i]) < 1e-7))
            bad = 1, printf("%s, %d: %.12g for %.12g\n", name, i, dx[i], slope);
    }
    return bad;
}

#define CHECK(f)                                                                                                        \
    {                                                                                                                   \
        double x[N], y[N] = {0}, dx[N] = {0}, dy[N];                                                                    \
        for (int i = 0; i < N; i++)                                                                                     \
            x[i] = 1 + 0.1 * i;                                                                                         \
        memcpy(dy, weight, sizeof dy);                                                                                  \
        __backsweep_gradient_void((void *)f, bs_dup, x, dx, bs_dup, y, dy, bs_const, table, E);                         \
        bad |= differs(#f, f, x, dx);                                                                                   \
    }

int main(void)
{
    int bad = 0;
    CHECK(by_edges)
    CHECK(one_by_one)
    CHECK(by_jumps)
    CHECK(by_threes)
    CHECK(in_a_row)
    CHECK(by_swaps)
    float x[E], y[E] = {0}, dx[E] = {0}, dy[E];
    struct record r[E], dr[E] = {{0}};
    for (int i = 0; i < E; i++)
        r[i] = (struct record){(i + 2) % E, 1 + 0.5f * i}, x[i] = dy[i] = 1 + i;
    __backsweep_gradient_void((void *)beside_floats, bs_dup, x, dx, bs_dup, y, dy, bs_dup, r, dr, E);
    for (int i = 0; i < E; i++) {
        float by_x = 2 * r[i].weight * r[i].weight * x[i] * (1 + r[i].id);
        float by_weight = 2 * r[i].weight * x[i] * x[i] * (1 + r[i].id);
        if (dx[i] != by_x || dr[i].weight != by_weight)
            bad = 1, printf("%d: %g for %g, %g for %g\n", i, dx[i], by_x, dr[i].weight, by_weight);
    }
    return bad;
}
