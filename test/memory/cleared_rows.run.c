// RUN: %clang -O1 -c %root/test/sources/Inputs/check.c -o %t.check.o
// RUN: for level in -O0 -O1 -O2 -O3; do %clang $level %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime -lm && %t double 0.4 0.7 1.3 0.2 || exit 1; done
/* Matrices that are found by their rows, in objects that functions which call themselves are given: all at once is cleared by the first row,
 * or row by row, and read and written by other names of the rows. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

typedef struct level {
    int n;
    double **u, **f;
    struct level *coarse;
} level;

static double **rows(int n)
{
    double **row = malloc(n * sizeof *row);
    row[0] = calloc(n * n, sizeof **row);
    for (int i = 1; i < n; i++)
        row[i] = row[i - 1] + n;
    return row;
}

static level *make(int n)
{
    level *l = malloc(sizeof *l);
    *l = (level){n, rows(n), rows(n), n > 2 ? make(n / 2) : NULL};
    return l;
}

static void drop(level *l)
{
    if (!l)
        return;
    drop(l->coarse);
    free(l->u[0]);
    free(l->u);
    free(l->f[0]);
    free(l->f);
    free(l);
}

static void cycle(level *l)
{
    level *c = l->coarse;
    for (int i = 0; i < l->n; i++)
        for (int j = 0; j < l->n; j++)
            l->u[i][j] = 0.5 * l->u[i][j] + 0.25 * l->f[i][j] * l->f[j][i];
    if (!c)
        return;
    for (int i = 0; i < c->n; i++) {
        memset(c->f[i], 0, c->n * sizeof(double));
        for (int j = 0; j < c->n; j++)
            c->f[i][j] += l->f[2 * i][2 * j] - l->u[2 * i][2 * j + 1];
    }
    memset(c->u[0], 0, c->n * c->n * sizeof(double));
    cycle(c);
    for (int i = 0; i < l->n; i++)
        for (int j = 0; j < l->n; j++)
            l->u[i][j] += c->u[i / 2][j / 2] * l->f[i][j];
}

static double f(const double *x, int n)
{
    level *top = make(8);
    double sum = 0;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            top->f[i][j] = sin(x[i % n] * (j + 1)) * x[(i + j) % n];
    cycle(top);
    cycle(top);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++)
            sum += top->u[i][j] * top->u[j][7 - i];
    drop(top);
    return sum;
}
REQUESTS(f)
