/* Before a large shadow the runtime makes room, so that equal calls meet no fresh page from the third on: the array of the first one was
 * allocated before the runtime knew of it, so the second may ask for as much again. A small shadow is allocated and nothing else. */
// RUN: %clang -O2 %include %pass -S -emit-llvm %s -o - | FileCheck %s
// CHECK-LABEL: define {{.*}} @large
// CHECK: call void @bs_rt_make_room(i64 1, i64 8388608)
// CHECK-LABEL: define {{.*}} @small
// CHECK-NOT: bs_rt_make_room
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
static double small_primal(const double *x) { return keep_all(x, 4, 100); }

__attribute__((noinline)) void large(const double *x, double *dx) { __backsweep_gradient(large_primal, bs_dup, x, dx); }
__attribute__((noinline)) void small(const double *x, double *dx) { __backsweep_gradient(small_primal, bs_dup, x, dx); }

static long count_faults(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt;
}

int main(void)
{
    static double x[64], dx[64];
    for (int i = 0; i < 64; i++)
        x[i] = 0.1 + 0.01 * i;
    small(x, dx);
    large(x, dx);
    large(x, dx);
    long before = count_faults();
    for (int i = 0; i < 4; i++)
        large(x, dx);
    long faults = count_faults() - before;
    /* Each of the calls touches 4,096 pages of the array, its shadow and the tape. */
    if (faults > 1000) {
        fprintf(stderr, "%ld fresh pages in four further calls\n", faults);
        return 1;
    }
    return 0;
}
