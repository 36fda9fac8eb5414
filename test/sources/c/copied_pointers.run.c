/* Tables of pointers that are copied as bytes, while what they lead to is freed, made again and led away from. */
// RUN: %levels %s double 0.9 1.1 0.7 1.3
#include "source.h"
#include <stdlib.h>
#include <string.h>

static const double constants[4] = {1, 2, 3, 4};

static double lead_away(const double *x, int n)
{
    double *squares = malloc(sizeof *squares * n), *sums = malloc(sizeof *sums * n), s = 0;
    double **table = malloc(sizeof *table * n), **copy = malloc(sizeof *copy * n);
    for (int i = 0; i < n; i++) {
        squares[i] = x[i] * x[i];
        sums[i] = x[i] + i;
        table[i] = i & 1 ? squares : sums;
    }
    memcpy(copy, table, sizeof *table * n);
    table[0] = squares;
    for (int i = 0; i < n; i++)
        s += copy[i][i] * x[n - 1 - i] + table[i][0];
    free(squares);
    free(sums);
    free(table);
    free(copy);
    return s;
}

static double make_again(const double *x, int n)
{
    double **table = malloc(sizeof *table * n), **copy = malloc(sizeof *copy * (n + 1)), s = 0;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < n; i++) {
            table[i] = malloc(sizeof(double) * 2);
            table[i][0] = x[i] * (round + 1);
            table[i][1] = x[(i + round) % n];
        }
        memcpy(copy + 1, table, sizeof *table * n);
        copy[0] = table[n - 1];
        memmove(copy, copy + 1, sizeof *table * (n - 1));
        for (int i = 0; i < n; i++)
            s += copy[i][0] * copy[n - 1 - i][1];
        copy[0][1] = copy[1][0] * s;
        s += table[0][1] * constants[round];
        for (int i = 0; i < n; i++)
            free(table[i]);
    }
    free(table);
    free(copy);
    return s;
}

static double f(const double *x, int n) { return lead_away(x, n) + make_again(x, n); }

REQUESTS(f)
