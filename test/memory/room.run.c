/* Before each shadow the runtime makes room, so that equal calls meet no fresh page from the third on: the array of the first one was
 * allocated before the runtime knew of it, so the second may ask for as much again. Many small shadows are like a large one: they are
 * freed from the end of the heap on, and the C library would hand that back page by page. */
// RUN: %clang -O2 %include %pass -S -emit-llvm %s -o - | FileCheck %s
// CHECK-LABEL: define {{.*}} @large
// CHECK: call void @bs_rt_make_room(i64 1, i64 8388608)
// CHECK-LABEL: define {{.*}} @many
// CHECK: call void @bs_rt_make_room(i64 1, i64 1600)
// CHECK-LABEL: define {{.*}} @main
// RUN: %clang -O2 %include %pass %s -o %t %runtime && %t
#include "backsweep.h"
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

/* One large array, from which the end is computed. */
static double keep_all(const double *x, int n, int count)
{
    double *all = malloc((size_t)count * sizeof *all), sum = 0;
    if (!all)
        exit(2);
    for (int i = 0; i < count; i++)
        all[i] = i < n ? x[i] : 0.5 * all[i - n] * all[i - n] + 0.1;
    for (int i = count - n; i < count; i++)
        sum += all[i];
    free(all);
    return sum;
}

static double large_primal(const double *x) { return keep_all(x, 64, 1 << 20); }

/* Each step makes its state anew, and the derivative needs all of them. */
static double many_primal(const double *x)
{
    enum { CELLS = 200, STEPS = 5000 };
    double *state = malloc(CELLS * sizeof *state), sum = 0;
    if (!state)
        exit(2);
    for (int i = 0; i < CELLS; i++)
        state[i] = x[i % 64];
    for (int t = 0; t < STEPS; t++) {
        double *next = malloc(CELLS * sizeof *next);
        if (!next)
            exit(2);
        for (int i = 0; i < CELLS; i++)
            next[i] = 0.5 * state[i] * state[(i + 1) % CELLS] + 0.1;
        free(state);
        state = next;
    }
    for (int i = 0; i < CELLS; i++)
        sum += state[i];
    free(state);
    return sum;
}

__attribute__((noinline)) void large(const double *x, double *dx) { __backsweep_gradient(large_primal, bs_dup, x, dx); }
__attribute__((noinline)) void many(const double *x, double *dx) { __backsweep_gradient(many_primal, bs_dup, x, dx); }

static long count_faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

/* Each call touches 4,096 pages of the arrays, their shadows and the tape. */
static int meets_fresh_pages(void derivative(const double *, double *), const char *name)
{
    static double x[64], dx[64];
    for (int i = 0; i < 64; i++)
        x[i] = 0.1 + 0.01 * i;
    derivative(x, dx);
    derivative(x, dx);
    long before = count_faults();
    for (int i = 0; i < 4; i++)
        derivative(x, dx);
    long faults = count_faults() - before;
    if (faults > 1000)
        fprintf(stderr, "%s: %ld fresh pages in four further calls\n", name, faults);
    return faults > 1000;
}

int main(void)
{
    /* What is made for the large array would do for the many small ones. */
    return meets_fresh_pages(many, "many") | meets_fresh_pages(large, "large");
}
