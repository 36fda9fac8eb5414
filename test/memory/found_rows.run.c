/* Arrays of rows that a function makes itself. A row that is found in one table is not one of another's, so that what is read there is read
 * again; unless a row stands in both, wherever it was put from: as it is, with the whole table, as a number, or by a function
 * that is called. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 -lm %runtime && %t.O2
// RUN: %clang -O3 -march=x86-64-v3 %pass %include %s -o %t.v3 -lm %runtime && %t.v3
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define N 6

static double **make(void)
{
    double **rows = malloc(N * sizeof *rows);
    for (int i = 0; i < N; i++)
        rows[i] = calloc(N, sizeof **rows);
    return rows;
}

static void drop(double **rows, int whole)
{
    for (int i = 0; i < N && whole; i++)
        free(rows[i]);
    free(rows);
}

/* Each number of `c` is written over while others that it may share a row with are still to be read. */
static double multiply(const double *x, double **a, double **c)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = x[i * N + j];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double dot = 0;
            for (int k = 0; k < N; k++)
                dot += a[i][k] * a[k][j];
            c[i][j] = sin(dot);
        }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            sum += c[i][j] * c[i][j];
    return sum;
}

enum way { APART, STORED, COPIED, NUMBER, CALLED };

__attribute__((noinline)) static void share(double **a, double **c) { c[1] = a[1]; }

static inline __attribute__((always_inline)) double run(const double *x, enum way way)
{
    double **a = make(), **c = make(), **first = malloc(N * sizeof *first);
    memcpy(first, c, N * sizeof *first);
    if (way == STORED)
        c[1] = a[1];
    if (way == COPIED)
        memcpy(c, a, N * sizeof *c);
    if (way == NUMBER)
        for (int i = 0; i < N; i++) {
            uintptr_t address = (uintptr_t)a[i];
            memcpy(&c[i], &address, sizeof address);
        }
    if (way == CALLED)
        share(a, c);
    double sum = multiply(x, a, c);
    drop(a, 1);
    drop(first, 1);
    drop(c, 0);
    return sum;
}

static double apart(const double *x) { return run(x, APART); }
static double stored(const double *x) { return run(x, STORED); }
static double copied(const double *x) { return run(x, COPIED); }
static double number(const double *x) { return run(x, NUMBER); }
static double called(const double *x) { return run(x, CALLED); }

static int check(const char *name, const double *x, const double *dx, double (*f)(const double *))
{
    int wrong = 0;
    for (int i = 0; i < N * N; i++) {
        double moved[N * N];
        memcpy(moved, x, sizeof moved);
        const double h = 1e-6;
        moved[i] = x[i] + h;
        double up = f(moved);
        moved[i] = x[i] - h;
        double difference = (up - f(moved)) / (2 * h);
        if (!(fabs(dx[i] - difference) <= 1e-7 * (1 + fabs(difference)))) {
            printf("%s %d: %.12g, by differences %.12g\n", name, i, dx[i], difference);
            wrong = 1;
        }
    }
    return wrong;
}

static size_t tape(void)
{
    struct bs_tape_stats stats;
    bs_tape_stats(0, &stats);
    return stats.total;
}

int main(void)
{
    double x[N * N], d[5][N * N] = {{0}};
    for (int i = 0; i < N * N; i++)
        x[i] = 0.4 + 0.3 * sin(12.9898 * i);
    size_t before = tape();
    __backsweep_gradient((void *)apart, bs_dup, x, d[0]);
    size_t bytes = tape() - before;
    __backsweep_gradient((void *)stored, bs_dup, x, d[1]);
    __backsweep_gradient((void *)copied, bs_dup, x, d[2]);
    __backsweep_gradient((void *)number, bs_dup, x, d[3]);
    __backsweep_gradient((void *)called, bs_dup, x, d[4]);
    int wrong = check("apart", x, d[0], apart) | check("stored", x, d[1], stored) | check("copied", x, d[2], copied) |
                check("number", x, d[3], number) | check("called", x, d[4], called);
    printf("%zu bytes\n", bytes);
    /* Two factors for each of N³ products would be 3456 bytes alone; pointers, sums and cosines are less. */
    return wrong || bytes > 3000;
}
