/* Reverse loops that go through memory towards the front run the other way round where iterations have nothing of each
 * other but sums, and only there. */
// RUN: %clang -O2 -fno-vectorize -fno-slp-vectorize -fno-unroll-loops -fno-discard-value-names %pass %include -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 -lm %runtime && %t.O2
// RUN: %clang -O3 -march=x86-64-v3 %pass %include %s -o %t.v3 -lm %runtime && %t.v3
// RUN: %clang -O3 -ffast-math -DTOLERANCE=1e-11 %pass %include %s -o %t.fast -lm %runtime && %t.fast
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

#ifndef TOLERANCE
#define TOLERANCE 1e-12
#endif
#define MOST 64
#define APART (MOST / 2)

/* A function, its gradient as users would write it, and its tangent. What is overwritten of v is put back. */
#define STEP(f)                                                                                                                \
    void reverse_##f(double *u, double *du, double *v, double *dv, const double *c, int n)                                     \
    {                                                                                                                          \
        __backsweep_gradient_void((void *)f, u, du, bs_dup_noneed, v, dv, bs_const, c, n);                                     \
    }                                                                                                                          \
    static void forward_##f(double *u, double *du, double *v, double *dv, const double *c, int n)                              \
    {                                                                                                                          \
        __backsweep_tangent_void((void *)f, u, du, v, dv, bs_const, c, n);                                                     \
    }

/* One cell of v for three of u: two steps, so that the second reads what the first has overwritten. */
static void smooth(double *u, double *v, const double *c, int n)
{
    for (int i = 4; i < n - 4; i++)
        v[i] = u[i] + c[i] * (u[i - 1] - 2 * u[i] + u[i + 1]) * (1 + u[i]);
    for (int i = 4; i < n - 4; i++)
        v[i] = v[i] * v[i] + u[i + 1] * u[i] - u[i - 1];
}
STEP(smooth)

/* Two cells in each iteration, and none of them in another. */
static void pairs(double *u, double *v, const double *c, int n)
{
    for (int i = 2; i < n / 2 - 2; i++) {
        v[2 * i] = u[i - 2] * u[i + 2] * c[i];
        v[2 * i + 1] = u[i] * u[i + 2] - c[i + 1];
    }
}
// CHECK-LABEL: define {{.*}}@reverse_pairs(
// CHECK: %turned = phi
// CHECK: ret void
STEP(pairs)

/* Each cell of v is written by two iterations: what the first has overwritten is put back last, and read by the loop before. */
static void twice(double *u, double *v, const double *c, int n)
{
    for (int i = 4; i < n - 4; i++)
        u[i] = u[i] * v[i] * v[i];
    for (int i = 4; i < n - 4; i++) {
        v[i] = u[i - 1] + c[i] * u[i + 1];
        v[i + 1] = u[i] - c[i];
    }
}
STEP(twice)

/* The same, four cells apart and in steps of two: what the second has written is taken first. */
static void later(double *u, double *v, const double *c, int n)
{
    for (int i = 2; i < n / 2 - 4; i++) {
        v[2 * i + 4] = u[i - 2] * u[i + 2] * c[i];
        v[2 * i] = u[i] * u[i] * u[i + 2];
    }
}
// CHECK-LABEL: define {{.*}}@reverse_later(
// CHECK-NOT: %turned = phi
// CHECK: ret void
STEP(later)

/* A number is handed on from one iteration to the next. */
static void handed(double *u, double *v, const double *c, int n)
{
    double r = 1;
    for (int i = 4; i < n - 4; i++) {
        r = r * c[i] + u[i - 1] * u[i + 1];
        v[i] = r * u[i];
    }
}
// CHECK-LABEL: define {{.*}}@reverse_handed(
// CHECK-NOT: %turned = phi
// CHECK: ret void
STEP(handed)

/* Each iteration takes what the one before has left: the shadow of v is taken where others add to it. */
static void sweep(double *u, double *v, const double *c, int n)
{
    for (int i = 4; i < n - 4; i++)
        v[i] = c[i] * v[i - 1] + 0.1 * u[i + 1] * u[i - 1];
}
// CHECK-LABEL: define {{.*}}@reverse_sweep(
// CHECK-NOT: %turned = phi
// CHECK: ret void
STEP(sweep)

/* The reverse of this one goes towards the back as it is. */
static void backwards(double *u, double *v, const double *c, int n)
{
    for (int i = n - 5; i >= 4; i--)
        v[i] = u[i - 1] * u[i + 1] - c[i] * v[i] * v[i];
}
// CHECK-LABEL: define {{.*}}@reverse_backwards(
// CHECK-NOT: %turned = phi
// CHECK: ret void
STEP(backwards)

/* Which array is written and which is read changes with each iteration, and is not the same in two. */
static void chosen(double *u, double *v, const double *c, int n)
{
    for (int i = 4; i < n - 4; i++) {
        double *to = i & 1 ? v + 1 : v, *from = i & 1 ? v : v + 1;
        to[i] = u[i - 1] * u[i + 1] * c[i] + from[i] * from[i];
    }
}
STEP(chosen)

typedef void derivative(double *, double *, double *, double *, const double *, int);

static int failures;

/* The gradient of a weighted sum of what `f` leaves, against forward mode, with v some cells behind u. */
static void compare(const char *name, derivative *reverse, derivative *forward, int n, int apart)
{
    static double start[2 * MOST], x[2 * MOST], dx[2 * MOST], gradient[2 * MOST], weights[2 * MOST], c[MOST];
    double *u = x, *v = x + apart, *du = dx, *dv = dx + apart;
    for (int i = 0; i < 2 * MOST; i++) {
        start[i] = sin(1.7 * i + 0.3);
        weights[i] = cos(0.9 * i);
        c[i / 2] = 0.5 + 0.3 * sin(2.1 * i);
    }
    memcpy(x, start, sizeof x);
    memcpy(dx, weights, sizeof dx);
    reverse(u, du, v, dv, c, n);
    memcpy(gradient, dx, sizeof gradient);
    for (int k = 0; k < 2 * MOST; k++) {
        double sum = 0;
        memcpy(x, start, sizeof x);
        memset(dx, 0, sizeof dx);
        dx[k] = 1;
        forward(u, du, v, dv, c, n);
        for (int i = 0; i < 2 * MOST; i++)
            sum += weights[i] * dx[i];
        if (!(fabs(sum - gradient[k]) <= TOLERANCE * (1 + fabs(sum)))) {
            printf("%s, %d cells, %d apart: the derivative in %d is %.17g, forward %.17g\n", name, n, apart, k, gradient[k], sum);
            failures++;
        }
    }
}

#define COMPARE(f)                                                                                                             \
    for (int n = 0; n <= APART; n++)                                                                                           \
        for (int at = 0; at < 6; at++)                                                                                         \
            compare(#f, reverse_##f, forward_##f, n, distances[at]);

int main(void)
{
    static const int distances[] = {0, 1, 2, 5, APART, MOST};
    COMPARE(smooth)
    COMPARE(pairs)
    COMPARE(twice)
    COMPARE(later)
    COMPARE(handed)
    COMPARE(sweep)
    COMPARE(backwards)
    COMPARE(chosen)
    return failures != 0;
}

// Too large to be inlined:
// CHECK-LABEL: define {{.*}}@backsweep.gradient.smooth(
// CHECK: %turned = phi
// CHECK-LABEL: define {{.*}}@backsweep.gradient.twice(
// CHECK-NOT: %turned = phi
// CHECK: {{^}}}
