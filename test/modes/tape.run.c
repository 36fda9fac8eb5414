/* The tape as derived code uses it: figures that are exact, a callee that differentiates on the same tape, a tape that
 * the caller keeps and sweeps twice. Halves go without local Jacobians, and the gradient that they equal to the last bit does, too. */
// RUN: env BACKSWEEP_OPTIONS=disable=preaccumulate %clang -O0 %include %pass %s -o %t %runtime && %t
// RUN: env BACKSWEEP_OPTIONS='disable=preaccumulate;resident=always' %clang -O2 %include %pass %s -o %t %runtime && %t
// RUN: env BACKSWEEP_OPTIONS=disable=preaccumulate %clang -O2 %include %pass %s -o %t %runtime && %t
// RUN: env BACKSWEEP_TAPE_CHECK=1 %t checked
// RUN: env BACKSWEEP_TAPE_RESERVE=0 %t
#include <math.h>
#include <stdio.h>

#include "backsweep.h"
#include "backsweep_rt.h"

enum { N = 60000 };

void *__backsweep_augmented_kept(void *, ...);
void __backsweep_reverse_kept(void *, ...);

static int failures, checked;

static void expect(int right, const char *what) {
    if (!right) {
        printf("wrong: %s\n", what);
        failures++;
    }
}

/* A record each time, because nobody knows how often the loop runs. */
static double product(const double *x, int n) {
    double p = 1;
    for (int i = 0; i < n; i++) {
        p = p * x[i] + 1e-3 * p * p;
        if (p > 1e100) break;
    }
    return p;
}

/* What one gradient leaves in the figures. */
static void count(const double *x, int n) {
    static double dx[N];
    struct bs_tape_stats before, after;
    bs_tape_stats(bs_tape_of_thread(), &before);
    __backsweep_gradient_void((void *)product, x, dx, n);
    bs_tape_stats(bs_tape_of_thread(), &after);
    size_t bytes = after.total - before.total, records = after.pushes - before.pushes;
    expect(after.current == before.current, "the tape is as it was");
    expect(records >= (size_t)n && records % n <= 1, "every iteration lays as many records");
    expect(bytes % 8 == 0 && (checked || bytes <= records * 24), "bytes are those of the records");
    expect(after.peak - before.current >= bytes, "the peak is where the sweeps meet");
}

static double inner(double x) {
    double y = x;
    for (int i = 0; i < 20; i++) y = sin(y * y + 1.0);
    return y;
}

/* Puts the tape to its own use in the middle of another sweep. */
__attribute__((noinline, annotate("backsweep_inactive"))) static double weight(int i) {
    return 0.9 + 0.01 * __backsweep_gradient((void *)inner, 0.1 * i);
}

static double weighted(double x, int n) {
    double y = x;
    for (int i = 0; i < n; i++) y = cos(y * weight(i)) + x;
    return y;
}

static void nest(void) {
    double d = __backsweep_gradient((void *)weighted, 0.7, 50);
    double forward = __backsweep_tangent((void *)weighted, 0.7, 1.0, 50);
    expect(fabs(d - forward) <= 1e-10 * fabs(forward), "a callee uses the tape between two records");
}

/* Long enough to come down through several chunks. */
static void sweep_twice(const double *x, int n) {
    static double first[N], second[N], whole[N];
    void *tape = __backsweep_augmented_kept((void *)product, bs_dup, x, first, n);
    __backsweep_reverse_kept((void *)product, bs_nofree, bs_dup, x, first, n, 1.0, tape);
    __backsweep_reverse_kept((void *)product, bs_dup, x, second, n, 1.0, tape);
    __backsweep_gradient_void((void *)product, x, whole, n);
    int different = 0;
    for (int i = 0; i < n; i++) different += first[i] != second[i] || first[i] != whole[i];
    expect(!different && first[0] != 0 && first[n - 1] != 0, "a second sweep finds what the first found");
}

int main(int argc, char **argv) {
    static double x[N];
    checked = argc > 1 && argv != 0;
    for (int i = 0; i < N; i++) x[i] = 0.999 + 1e-5 * (i % 7 - 3.3);
    count(x, 1000);
    count(x, N);
    nest();
    sweep_twice(x, N);
    return failures;
}
