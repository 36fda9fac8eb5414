/* Numbers that are moved as pointers, by the other member of a union and through slots for pointers, in memory of the call: where it cannot be
 * told what is moved, it is moved as bytes, and its derivative comes along. */
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include <stdlib.h>
#include <string.h>

#include "source.h"

union either {
    double number;
    void *pointer;
};

static double by_member(const double *x, int n) {
    union either *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
    for (int i = 0; i < n; i++)
        a[i].number = x[i] * x[i];
    for (int i = 0; i < n; i++)
        b[n - 1 - i].pointer = a[i].pointer;
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += b[i].number * i;
    free(a);
    free(b);
    return sum;
}

/* The floats are put in and taken out at known places, and moved at all. */
static double known_places(const double *x, int n) {
    union either a[4], b[4];
    a[0].number = x[0] * x[1];
    a[1].number = x[1];
    for (int i = 0; i < n; i++)
        b[n - 1 - i].pointer = a[i].pointer;
    return b[0].number * b[1].number;
}

static double by_either(const double *x, int n) {
    double *kept = malloc(n * sizeof *kept);
    union either a[4], b[4];
    for (int i = 0; i < n; i++)
        kept[i] = x[i] * x[i];
    for (int i = 0; i < 4; i++)
        if (i % 2)
            a[i].pointer = &kept[i % n];
        else
            a[i].number = x[i % n] * (i + 1);
    for (int i = 0; i < 4; i++)
        if (i < 2)
            b[3 - i].pointer = a[i].pointer;
        else
            b[3 - i].number = a[i].number;
    double product = 1;
    for (int i = 0; i < 4; i++)
        product *= i % 2 ? b[i].number : *(double *)b[i].pointer;
    free(kept);
    return product;
}

static double in_slots(const double *x) {
    void *slot[2];
    double v = x[0] * x[1], w;
    memcpy(slot, &v, sizeof v);
    slot[1] = slot[0];
    memcpy(&w, slot + 1, sizeof w);
    return w * w;
}

static double f(const double *x, int n) { return by_member(x, n) + by_either(x, n) * x[1] + in_slots(x) + known_places(x, 2); }

REQUESTS(f)
