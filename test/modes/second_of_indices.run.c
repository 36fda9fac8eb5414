/* Products of a Hessian and a vector where the gradient keeps integers on its tape: indices that are found in arrays behind the members of a
   struct. Its record says that they are no float's bits, and so does that of the first half of a recursion. How far a walk went is an integer, too. */
// DEFINE: %{flags} =
// DEFINE: %{check} = %clang %{flags} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{flags} = -O0
// RUN: %{check}
// REDEFINE: %{flags} = -O2 -g
// RUN: %{check}
// REDEFINE: %{flags} = -O3 -ffast-math
// RUN: %{check}
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backsweep.h"

enum { N = 5 };

struct entry {
    int row, column;
    double value;
};

struct rows {
    int n;
    int *start, *column;
    double *value;
};

static struct rows *build(int n, const struct entry *entries, int count)
{
    struct rows *rows = malloc(sizeof *rows);
    rows->n = n;
    rows->start = calloc(n + 1, sizeof(int));
    rows->column = malloc(count * sizeof(int));
    rows->value = malloc(count * sizeof(double));
    for (int i = 0; i < count; i++) {
        rows->column[i] = entries[i].column;
        rows->value[i] = entries[i].value;
        rows->start[entries[i].row + 1]++;
    }
    for (int i = 0; i < n; i++)
        rows->start[i + 1] += rows->start[i];
    return rows;
}

static void apply(const struct rows *rows, const double *x, double *y)
{
    for (int i = 0; i < rows->n; i++) {
        double sum = 0;
        for (int k = rows->start[i]; k < rows->start[i + 1]; k++)
            sum += rows->value[k] * x[rows->column[k]];
        y[i] = sum;
    }
}

/* x is multiplied by a matrix whose entries are squares of x, and then by x. */
static double product(const double *x, int n)
{
    struct entry *entries = malloc(2 * n * sizeof *entries);
    int count = 0;
    for (int i = 0; i < n; i++) {
        entries[count++] = (struct entry){i, n - 1 - i, x[i] * x[i]};
        entries[count++] = (struct entry){i, i, sin(x[(i + 1) % n])};
    }
    struct rows *rows = build(n, entries, count);
    double *y = calloc(n, sizeof *y), sum = 0;
    apply(rows, x, y);
    for (int i = 0; i < n; i++)
        sum += y[i] * x[i];
    free(y);
    free(rows->start);
    free(rows->column);
    free(rows->value);
    free(rows);
    free(entries);
    return sum;
}

/* A walk that ends at an address: how many passes it takes is the larger of two addresses without the first. */
static double walk(const double *x, int n)
{
    double *a = malloc(n * sizeof *a), sum = 0;
    for (int i = 0; i < n; i++)
        a[i] = x[i] * (i + 1);
    for (int t = 0; t < 3; t++) {
        for (const double *p = a; p < a + n; ++p)
            sum += p[0] * p[0] * x[t];
        a[0] *= 1.1;
    }
    free(a);
    return sum;
}

struct node {
    int count, *next;
    double weight;
};

/* A tree in an array, whose nodes keep the indices of those below in arrays of their own. */
static double visit(const struct node *nodes, int at, double scale)
{
    double sum = scale * nodes[at].weight * nodes[at].weight;
    for (int i = 0; i < nodes[at].count; i++)
        sum += visit(nodes, nodes[at].next[i], scale * cos(nodes[at].weight));
    return sum;
}

static double tree(const double *x, int n)
{
    struct node *nodes = malloc(n * sizeof *nodes);
    for (int i = 0; i < n; i++) {
        nodes[i].weight = x[i] * (i + 1);
        nodes[i].count = (2 * i + 1 < n) + (2 * i + 2 < n);
        nodes[i].next = malloc(2 * sizeof(int));
        for (int k = 0; k < nodes[i].count; k++)
            nodes[i].next[k] = 2 * i + 1 + k;
    }
    double sum = visit(nodes, 0, 1);
    for (int i = 0; i < n; i++)
        free(nodes[i].next);
    free(nodes);
    return sum;
}

static void gradient_of_product(const double *x, double *dx, int n)
{
    __backsweep_gradient_void((void *)product, bs_dup, x, dx, n);
}

static void gradient_of_walk(const double *x, double *dx, int n)
{
    __backsweep_gradient_void((void *)walk, bs_dup, x, dx, n);
}

static void gradient_of_tree(const double *x, double *dx, int n)
{
    __backsweep_gradient_void((void *)tree, bs_dup, x, dx, n);
}

typedef void gradient_of(const double *, double *, int);

static int check(const char *name, gradient_of *gradient, const double *x, const double *v, const double *hv)
{
    static const double weights[] = {0.75, -0.15, 1.0 / 60};
    double step = 1e-3, want[N] = {0};
    int bad = 0;
    for (int k = 1; k <= 3; k++)
        for (int sign = -1; sign <= 1; sign += 2) {
            double at[N], d[N] = {0};
            for (int i = 0; i < N; i++)
                at[i] = x[i] + sign * k * step * v[i];
            gradient(at, d, N);
            for (int i = 0; i < N; i++)
                want[i] += sign * weights[k - 1] * d[i] / step;
        }
    for (int i = 0; i < N; i++)
        if (!(fabs(hv[i] - want[i]) <= 1e-8 * fmax(1, fabs(want[i])))) {
            printf("%s %d: %.12g, not %.12g\n", name, i, hv[i], want[i]);
            bad = 1;
        }
    return bad;
}

int main(void)
{
    const double x[N] = {0.3, 0.7, -0.2, 1.1, 0.6}, v[N] = {1, -0.5, 0.25, 0.7, -1.2};
    double g[N] = {0}, hv[N] = {0};
    __backsweep_tangent_void((void *)gradient_of_product, bs_dup, x, v, bs_dup, g, hv, N);
    int bad = check("product", gradient_of_product, x, v, hv);
    double gt[N] = {0}, hvt[N] = {0};
    __backsweep_tangent_void((void *)gradient_of_tree, bs_dup, x, v, bs_dup, gt, hvt, N);
    double gw[N] = {0}, hvw[N] = {0};
    __backsweep_tangent_void((void *)gradient_of_walk, bs_dup, x, v, bs_dup, gw, hvw, N);
    bad |= check("walk", gradient_of_walk, x, v, hvw);
    return bad | check("tree", gradient_of_tree, x, v, hvt);
}
