// RUN: %levels %s double 0.8 1.3 -0.4 2.1
// Who makes and frees memory is handed over: `malloc`, `calloc` and `free` behind pointers, in a struct and as the last act of an object.
#include "source.h"
#include <stdlib.h>

typedef struct {
    void *(*make)(size_t);
    void *(*clear)(size_t, size_t);
    void (*drop)(void *);
} allocator;

typedef struct {
    double *at;
    int n;
    const allocator *by;
} row;

typedef struct {
    void *state;
    void (*end)(void *);
} object;

static row make(const allocator *by, int n)
{
    row made = {by->make(n * sizeof(double)), n, by};
    return made;
}

static void end(row *r)
{
    r->by->drop(r->at);
    r->at = NULL;
}

static double rows(const double *x, int n)
{
    const allocator by = {malloc, calloc, free};
    double sum = 0;
    for (int turn = 0; turn < 3; turn++) {
        row r = make(&by, n);
        double *sums = by.clear(n, sizeof *sums);
        for (int i = 0; i < n; i++) {
            r.at[i] = x[i] * x[(i + turn) % n];
            sums[i] += r.at[i] * (i + 1);
        }
        for (int i = 0; i < n; i++)
            sum += sums[i] * r.at[n - 1 - i];
        by.drop(sums);
        end(&r);
    }
    return sum;
}

static double f(const double *x, int n)
{
    object all[2];
    double sum = rows(x, n);
    for (int i = 0; i < 2; i++) {
        double *state = malloc(2 * sizeof *state);
        state[0] = x[2 * i];
        state[1] = x[2 * i + 1] * x[0];
        all[i].state = state;
        all[i].end = i > n ? NULL : free;
    }
    for (int i = 0; i < 2; i++) {
        double *state = all[i].state;
        sum += state[0] * state[1] * (i + 1);
        all[i].end(all[i].state);
    }
    return sum;
}
REQUESTS(f)
