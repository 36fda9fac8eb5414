/* Structs of an int and a float, moved as one word before the plugin sees them: each half is what it is, wherever it comes from and goes to,
   in the user's memory as well. And structs of a double and an int, whose last word holds nothing behind the int. */
// RUN: %clang -O1 %include -S -emit-llvm %s -o %t.ll && %opt -passes='default<O2>' %t.ll -o %t.bc && %clang %t.bc -o %t %runtime && %t
// RUN: %clang -O2 %include -S -emit-llvm -DKEYS %s -o %t.ll && %opt -passes='default<O2>' %t.ll -o %t.bc && %clang %t.bc -o %t %runtime && %t
// RUN: %clang -O0 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O3 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O3 %include %pass -DKEYS %s -o %t %runtime && %t
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

enum { N = 5 };

struct weighed {
    int id;
    float weight;
};

struct keyed {
    double key;
    int id;
};

static __attribute__((noinline)) void turn(const struct weighed *from, int n, struct weighed *to)
{
    for (int i = 0; i < n; i++)
        to[(i + 1) % n] = from[i];
}

static __attribute__((noinline)) double weigh(const struct weighed *all, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (i + 1) * all[i].weight * all[i].weight * (all[i].id % 3 + 1);
    return sum;
}

static double turned(const struct weighed *given, int n)
{
    struct weighed *once = malloc(n * sizeof *once), *again = malloc(n * sizeof *again);
    turn(given, n, once);
    for (int i = 0; i < n; i++)
        again[n - 1 - i] = once[i];
    double sum = weigh(again, n);
    free(once);
    free(again);
    return sum;
}

static __attribute__((noinline)) void sort(struct keyed *all, int n)
{
    for (int i = 1; i < n; i++) {
        struct keyed moved = all[i];
        int j = i - 1;
        for (; j >= 0 && all[j].key > moved.key; j--)
            all[j + 1] = all[j];
        all[j + 1] = moved;
    }
}

static double sorted(const double *x, int n)
{
    struct keyed *all = malloc(n * sizeof *all);
    for (int i = 0; i < n; i++)
        all[i] = (struct keyed){sin(3 * x[i]), i};
    sort(all, n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (i + 1) * all[i].key * all[i].key * (all[i].id + 1);
    free(all);
    return sum;
}

static int differs(const char *what, int at, double got, double want, double tolerance)
{
    if (fabs(got - want) <= tolerance * fmax(1, fabs(want)))
        return 0;
    printf("%s %d: %.9g, not %.9g\n", what, at, got, want);
    return 1;
}

int main(void)
{
    int bad = 0;
#ifdef KEYS
    double x[N], dx[N] = {0};
    for (int i = 0; i < N; i++)
        x[i] = 0.3 + 0.4 * (i * 3 % N);
    __backsweep_gradient_void((void *)sorted, bs_dup, x, dx, N);
    for (int i = 0; i < N; i++) {
        double kept = x[i], step = 1e-6;
        x[i] = kept + step;
        double above = sorted(x, N);
        x[i] = kept - step;
        double below = sorted(x, N);
        x[i] = kept;
        bad |= differs("sorted", i, dx[i], (above - below) / (2 * step), 1e-7);
    }
#else
    struct weighed all[N], shadow[N];
    memset(shadow, 0, sizeof shadow);
    for (int i = 0; i < N; i++)
        all[i] = (struct weighed){i + 1, 0.5f + 0.25f * i};
    __backsweep_gradient_void((void *)turned, bs_dup, all, shadow, N);
    for (int i = 0; i < N; i++) {
        float kept = all[i].weight, step = 1.0f / 64;
        all[i].weight = kept + step;
        double above = turned(all, N);
        all[i].weight = kept - step;
        double below = turned(all, N);
        all[i].weight = kept;
        bad |= differs("turned", i, shadow[i].weight, (above - below) / (2 * step), 1e-6);
    }
#endif
    return bad;
}
