/* A pointer that is chosen among several places is compared on entry wherever it may lead. Among more places than are followed,
 * nobody knows: the version for memory that is apart would otherwise be taken where the place that was left out is not. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: for level in -O0 -O1 -O2 '-O3 -ffast-math'; do %clang $level %pass %include %s -o %t %runtime -lm && %t || exit 1; done
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

#define N 6
#define FAR 40

/* What is counted in each branch keeps it a branch. */
#define PICK(bit) \
    if (which >> (bit) & 1) { \
        p = a + (bit); \
        picked[0] += 0.25; \
    }
#define FOUR(bit) PICK(bit) PICK(bit + 1) PICK(bit + 2) PICK(bit + 3)

// CHECK-LABEL: plan gradient backsweep.primal.few
// CHECK: goes to another version where
static void few(double *a, double *b, double *picked, int n, int which)
{
    double *p = a + FAR;
    FOUR(0)
    for (int i = 0; i < n; i++)
        b[i] = sin(p[i]) * b[i];
}

// CHECK-LABEL: plan gradient backsweep.primal.many
// CHECK-NOT: goes to another version where
static void many(double *a, double *b, double *picked, int n, int which)
{
    double *p = a + FAR;
    FOUR(0)
    FOUR(4)
    FOUR(8)
    FOUR(12)
    FOUR(16)
    for (int i = 0; i < n; i++)
        b[i] = sin(p[i]) * b[i];
}

#define CELLS 100
static const double *start(void)
{
    static double x[CELLS];
    for (int i = 0; i < CELLS; i++) x[i] = 0.5 + 0.01 * i;
    return x;
}

typedef void kernel(double *, double *, double *, int, int);

/* The derivative of all that is left, in the direction of one cell. */
static double difference(kernel *f, int shift, int which, int cell)
{
    double ends[2], h = 1e-6;
    for (int end = 0; end < 2; end++) {
        double x[CELLS];
        memcpy(x, start(), sizeof x);
        x[cell] += end ? h : -h;
        f(x, x + shift, x + CELLS - 1, N, which);
        ends[end] = 0;
        for (int i = 0; i < CELLS; i++) ends[end] += x[i] * (1 + 0.1 * i);
    }
    return (ends[1] - ends[0]) / (2 * h);
}

static int bad;

#define TRY(f) \
    for (int bit = -1; bit < 20; bit++) \
        for (int shift = 0; shift < FAR + N; shift++) { \
            double x[CELLS], dx[CELLS]; \
            const int which = bit < 0 ? 0 : 1 << bit; \
            memcpy(x, start(), sizeof x); \
            for (int i = 0; i < CELLS; i++) dx[i] = 1 + 0.1 * i; \
            __backsweep_gradient_void((void *)f, bs_dup_noneed, x, dx, bs_dup_noneed, x + shift, dx + shift, \
                                      bs_dup_noneed, x + CELLS - 1, dx + CELLS - 1, N, which); \
            for (int i = 0; i < CELLS; i++) { \
                const double expected = difference(f, shift, which, i); \
                if (fabs(dx[i] - expected) <= 1e-7 * (1 + fabs(expected))) continue; \
                printf(#f " %d %d: %d is %.12g, expected %.12g\n", bit, shift, i, dx[i], expected); \
                bad = 1; \
            } \
        }

int main(void)
{
    TRY(few)
    TRY(many)
    return bad;
}
