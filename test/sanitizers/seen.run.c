/* Derived code is instrumented: a shadow that is too short, and one that two threads add into, are reported in it. */
// RUN: for level in -O0 -O2; do \
// RUN:   %clang $level -g -fsanitize=address %include %pass %s -o %t %runtime && not %t short 2>&1 | FileCheck --check-prefix=SHORT %s || exit 1; \
// RUN:   %clang $level -g -fsanitize=thread %include %pass %s -o %t %runtime && not %t shared 2>&1 | FileCheck --check-prefix=SHARED %s || exit 1; \
// RUN: done
// SHORT: ERROR: AddressSanitizer: heap-buffer-overflow
// SHORT: in {{.*(gradient|take)}}
// SHARED: WARNING: ThreadSanitizer: data race
// SHARED: {{gradient|take}}
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

enum { N = 64 };

static double *x, *dx;
static pthread_barrier_t both;

static double squares(const double *v, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += v[i] * v[i] * v[i];
    return sum;
}

__attribute__((noinline)) static void *take(void *barrier) {
    if (barrier) pthread_barrier_wait(barrier);
    __backsweep_gradient_void((void *)squares, bs_dup, x, dx, N);
    return 0;
}

int main(int argc, char **argv) {
    int shared = argc > 1 && strcmp(argv[1], "shared") == 0;
    pthread_t other;
    x = malloc(N * sizeof *x);
    dx = calloc((size_t)(shared ? N : N - 1), sizeof *dx);
    for (int i = 0; i < N; i++) x[i] = i;
    pthread_barrier_init(&both, 0, 2);
    if (shared) pthread_create(&other, 0, take, &both);
    take(shared ? &both : 0);
    if (shared) pthread_join(other, 0);
    free(x);
    free(dx);
    return 0;
}
