/* Loads of neighbours: what they find is recorded once, as a row, where the memory is written later and the loop itself leaves it alone. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: env BACKSWEEP_OPTIONS=disable=rows %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O1 -fsanitize=address %pass %include %s -o %t.asan %runtime -lm && %t.asan
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime -lm && %t.O3
// RUN: env BACKSWEEP_OPTIONS=disable=rows %clang -O2 %pass %include %s -DBYTES=2 -o %t.off %runtime -lm && %t.off
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#ifndef BYTES
#define BYTES 1
#endif
#define N 60
#define STEPS 5
#define CELLS (4 * N)

// OFF-NOT: lies in a row

/* Burgers' equation in two buffers that change places. */
// CHECK-LABEL: plan gradient backsweep.primal.swapped
// CHECK: what %{{[0-9]+}}, %{{[0-9]+}}, %{{[0-9]+}} read lies in a row from %{{[0-9]+}} on, 8 bytes a pass, recorded by %{{[0-9]+}}
static void swapped(double *w, int n)
{
    double *u = w, *v = w + N;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < N - 1; i++)
            v[i] = u[i] - 0.1 * u[i] * (u[i + 1] - u[i - 1]);
        double *swap = u;
        u = v;
        v = swap;
    }
    (void)n;
}

/* How far they are apart, and how long they are, is known only when it runs. */
// CHECK-LABEL: plan gradient backsweep.primal.any_length
// CHECK: lies in a row
static void any_length(double *w, int n)
{
    double *u = w, *v = w + n;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i - 1] * u[i + 1];
        double *swap = u;
        u = v;
        v = swap;
    }
}

/* Three that take turns. */
// CHECK-LABEL: plan gradient backsweep.primal.turns
// CHECK: lies in a row
static void turns(double *w, int n)
{
    double *p = w, *u = w + N, *v = w + 2 * N;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < N - 1; i++)
            v[i] = 1.5 * u[i] - 0.5 * p[i] + 0.1 * u[i] * u[i - 1] * u[i + 1];
        double *turn = p;
        p = u;
        u = v;
        v = turn;
    }
    (void)n;
}

/* One is copied back: as Fortran programs do it. */
// CHECK-LABEL: plan gradient backsweep.primal.copied_back
// CHECK: lies in a row from %{{[0-9]+}} on, 8 bytes a pass
static void copied_back(double *w, int n)
{
    double *u = w, v[CELLS];
    for (int t = 0; t < STEPS; t++) {
        for (int i = 2; i < n; i++)
            v[i] = u[i] * u[i - 2] + u[i - 1];
        for (int i = 2; i < n; i++)
            u[i] = v[i];
    }
}

/* Two numbers for each cell: each of them has its own place within a step. */
// CHECK-LABEL: plan gradient backsweep.primal.pairs
// CHECK: lies in a row from %{{[0-9]+}} on, 16 bytes a pass, recorded by %{{[0-9]+}}, %{{[0-9]+}}
static void pairs(double *w, int n)
{
    double *u = w, *v = w + 2 * N;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < N - 1; i++) {
            v[2 * i] = u[2 * i - 2] * u[2 * i + 1] * u[2 * i];
            v[2 * i + 1] = u[2 * i + 3] * u[2 * i - 1] * u[2 * i + 2];
        }
        double *swap = u;
        u = v;
        v = swap;
    }
    (void)n;
}

/* Buffers that lie on each other, a row that is written while it is read, and a load that does not run in each pass: each load
 * has its own record, or memory is put back. */
// CHECK-LABEL: plan gradient backsweep.primal.overlapping
// CHECK-NOT: lies in a row
// CHECK-LABEL: plan gradient backsweep.primal.in_place
// CHECK-NOT: lies in a row
// CHECK-LABEL: plan gradient backsweep.primal.sometimes
// CHECK-NOT: lies in a row
static void overlapping(double *w, int n)
{
    double *u = w, *v = w + N / 2;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < N - 1; i++)
            v[i] = u[i] * u[i - 1] * u[i + 1];
        double *swap = u;
        u = v;
        v = swap;
    }
    (void)n;
}

static void in_place(double *w, int n)
{
    for (int t = 0; t < STEPS; t++)
        for (int i = 1; i < n - 1; i++)
            w[i] = sin(w[i - 1]) * w[i + 1];
}

static void sometimes(double *w, int n)
{
    double *u = w, *v = w + n;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < n - 1; i++)
            if (v[i] > 0.2)
                v[i] = sin(u[i - 1]) * u[i + 1];
        double *swap = u;
        u = v;
        v = swap;
    }
}

#define TEST(f)                                                                                                                \
    void reverse_##f(double *w, double *dw, int n)                                                                             \
    {                                                                                                                          \
        __backsweep_gradient_void((void *)f, bs_dup_noneed, w, dw, n);                                                         \
    }                                                                                                                          \
    static void forward_##f(double *w, double *dw, int n)                                                                      \
    {                                                                                                                          \
        __backsweep_tangent_void((void *)f, w, dw, n);                                                                         \
    }
TEST(swapped)
TEST(any_length)
TEST(turns)
TEST(copied_back)
TEST(pairs)
TEST(overlapping)
TEST(in_place)
TEST(sometimes)

typedef void derivative(double *, double *, int);

static int failures;

static void fill(double *x)
{
    for (int i = 0; i < CELLS; i++)
        x[i] = 0.5 + 0.4 * sin(1.7 * i + 0.3);
}

/* The gradient of a weighted sum of all cells, against forward mode; with most bytes that may be recorded. */
static void compare(const char *name, derivative *reverse, derivative *forward, int n, size_t most)
{
    static double x[CELLS], dx[CELLS], gradient[CELLS];
    struct bs_tape_stats before, after;
    fill(x);
    for (int i = 0; i < CELLS; i++)
        dx[i] = cos(0.9 * i);
    bs_tape_stats(NULL, &before);
    reverse(x, dx, n);
    bs_tape_stats(NULL, &after);
    memcpy(gradient, dx, sizeof gradient);
    if (after.total - before.total > most * BYTES) {
        printf("%s, %d cells: %zu bytes\n", name, n, (size_t)(after.total - before.total));
        failures++;
    }
    for (int k = 0; k < CELLS; k++) {
        double sum = 0;
        fill(x);
        memset(dx, 0, sizeof dx);
        dx[k] = 1;
        forward(x, dx, n);
        for (int i = 0; i < CELLS; i++)
            sum += cos(0.9 * i) * dx[i];
        if (!(fabs(sum - gradient[k]) <= 1e-11 * (1 + fabs(sum)))) {
            printf("%s, %d cells: the derivative in %d is %.17g, forward %.17g\n", name, n, k, gradient[k], sum);
            failures++;
        }
    }
}

/* At most one number of each cell and step, and what tells where they are. */
#define COMPARE(f, cells)                                                                                                      \
    for (int n = 0; n <= N; n++)                                                                                               \
        compare(#f, reverse_##f, forward_##f, n, STEPS * (8 * (size_t)(cells) + 100));

int main(void)
{
    COMPARE(swapped, N)
    COMPARE(any_length, n)
    COMPARE(turns, N)
    COMPARE(copied_back, n)
    COMPARE(pairs, 2 * N)
    COMPARE(overlapping, 3 * N)
    COMPARE(in_place, 3 * n)
    COMPARE(sometimes, 3 * n)
    return failures != 0;
}
