/* What is computed of floats' bits and kept, and becomes no float: sums to check by and hashes to find numbers again, exponents, beside random
 * numbers that are made by their bits and beside counts that become numbers. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} -fno-strict-aliasing %include %pass %s -o %t %runtime -lm && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

#define APART __attribute__((noinline))

/* What each adds up is compared with what all have. */
double checked(const double *x, int n)
{
    uint64_t *sums = malloc(n * sizeof *sums), all = 0;
    double *y = malloc(n * sizeof *y), sum = 0;
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[(i + 1) % n];
    for (int i = 0; i < n; i++) {
        all = all * 31 + ((uint64_t *)y)[i];
        sums[i] = all;
    }
    for (int i = 0; i < n; i++)
        sum += (sums[i] == all ? 2 : 1) * y[i] * y[i];
    free(sums);
    free(y);
    return sum;
}

/* The same of bits that were copied out of a number. */
static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
double checked_by_copies(const double *x, int n)
{
    uint64_t *sums = malloc(n * sizeof *sums), all = 0;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        all += bits_of(x[i] * x[0]) * 31;
        sums[i] = all;
    }
    for (int i = 0; i < n; i++)
        sum += (sums[i] == all ? 2 : 1) * x[i] * x[i];
    free(sums);
    return sum;
}

/* Exponents do not change in a neighbourhood, and may be numbers. */
double scaled(const double *x, int n)
{
    int *exponents = malloc(n * sizeof *exponents);
    double sum = 0;
    for (int i = 0; i < n; i++)
        exponents[i] = (int)(bits_of(x[i] * x[1]) >> 52 & 0x7ff) - 1022;
    for (int i = 0; i < n; i++)
        sum += exponents[i] * x[i] * x[i];
    free(exponents);
    return sum;
}

struct table {
    double *values;
    uint64_t *hashes;
    int *counts;
};
APART static void insert(struct table *t, const double *key, double value)
{
    uint64_t hash = (*(const uint64_t *)key + 17) * 0x9e3779b97f4a7c15u;
    int at = hash >> 60;
    while (t->counts[at])
        at = (at + 1) % 16;
    t->values[at] = value;
    t->hashes[at] = hash;
    t->counts[at] = 1;
}
APART static int find(struct table *t, const double *key)
{
    uint64_t hash = (*(const uint64_t *)key + 17) * 0x9e3779b97f4a7c15u;
    int at = hash >> 60;
    while (t->counts[at] && t->hashes[at] != hash)
        at = (at + 1) % 16;
    return at;
}
double hashed(const double *x, int n)
{
    struct table t = {calloc(16, sizeof(double)), calloc(16, sizeof(uint64_t)), calloc(16, sizeof(int))};
    double sum = 0;
    for (int i = 0; i < n; i++)
        insert(&t, x + i, x[i] * x[i]);
    for (int i = 0; i < n; i++) {
        int at = find(&t, x + i);
        t.counts[at] += i;
        sum += t.values[at] * x[i] * t.counts[at];
    }
    free(t.values), free(t.hashes), free(t.counts);
    return sum;
}

static double uniform(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    uint64_t bits = *state >> 12 | 0x3ff0000000000000u;
    double u;
    memcpy(&u, &bits, sizeof u);
    return u - 1;
}
double sampled(const double *x, int n)
{
    uint64_t *checks = malloc(n * sizeof *checks), state = 5;
    double sum = 0;
    for (int i = 0; i < n; i++) {
        checks[i] = ((const uint64_t *)x)[i] * 31 + i;
        sum += uniform(&state) * x[i] * x[i];
    }
    if (checks[0] == checks[n - 1])
        sum = 0;
    free(checks);
    return sum;
}

static int failures;
static void check(const char *name, double (*f)(const double *, int), const double *found, double *x, int n)
{
    for (int i = 0; i < n; i++) {
        double at = x[i], h = 1e-6, above, wanted;
        x[i] = at + h;
        above = f(x, n);
        x[i] = at - h;
        wanted = (above - f(x, n)) / (2 * h);
        x[i] = at;
        if (!(fabs(found[i] - wanted) <= 1e-6 * (1 + fabs(wanted)))) {
            printf("%s: %g, expected %g\n", name, found[i], wanted);
            failures++;
        }
    }
}
#define CHECK(f)                                                                                                       \
    do {                                                                                                               \
        double dx[4] = {0};                                                                                            \
        __backsweep_gradient((void *)f, x, dx, 4);                                                                     \
        check(#f, f, dx, x, 4);                                                                                        \
    } while (0)

int main(void)
{
    double x[4] = {0.7, 1.3, 2.6, 0.9};
    CHECK(hashed);
    CHECK(checked_by_copies);
    CHECK(scaled);
    CHECK(checked);
    CHECK(sampled);
    return failures;
}
