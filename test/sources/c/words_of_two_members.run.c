/* Structs of eight bytes beside each other that are moved about: two members in one word, one of them a number with a derivative;
 * and an integer with nothing behind it, which takes a word of its own. Optimised, each word is moved as one integer. */
// RUN: %levels %s float 0.8 1.3 -0.4 2.1 0.35 -1.7
#include "source.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* Neither member is touched before the last copy is read: one goes by words, another by bytes. */
static double handed_on(const double *x, int n)
{
    struct weighed *first = malloc(n * sizeof *first), *second = malloc(n * sizeof *first), *third = malloc(n * sizeof *first);
    for (int i = 0; i < n; i++)
        first[i] = (struct weighed){i, (float)(x[i] * x[0])};
    turn(first, n, second);
    memcpy(third, second, n * sizeof *third);
    for (int i = 0; i < n; i++)
        first[n - 1 - i] = third[i];
    double sum = weigh(first, n);
    free(first);
    free(second);
    free(third);
    return sum;
}

static double sorted(const double *x, int n)
{
    struct keyed *all = malloc(n * sizeof *all);
    for (int i = 0; i < n; i++)
        all[i] = (struct keyed){2 * x[i] + 0.1 * x[i] * x[i], i};
    sort(all, n);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (i + 1) * all[i].key * all[i].key * (all[i].id + 1);
    free(all);
    return sum;
}

static double f(const double *x, int n) { return handed_on(x, n) + sorted(x, n); }

REQUESTS(f)
