/* Time loops over buffers that change places: the reverse sweep writes sums over the zeros that the step before has left, and
 * leaves them out itself, only where nobody can tell. Against forward mode, with seeds in both buffers, buffers that
 * overlap, rows that get shorter and longer, and others that look into them between two steps. */
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
#define MOST 40
#define CELLS (3 * MOST + 8)
#define STEPS 5

/* A function, its gradient as users would write it, and its tangent. */
#define STEP(f)                                                                                                                \
    void reverse_##f(double *w, double *dw, int apart, const double *c, int n)                                                 \
    {                                                                                                                          \
        __backsweep_gradient_void((void *)f, bs_dup_noneed, w, dw, apart, bs_const, c, n);                                     \
    }                                                                                                                          \
    static void forward_##f(double *w, double *dw, int apart, const double *c, int n)                                          \
    {                                                                                                                          \
        __backsweep_tangent_void((void *)f, w, dw, apart, bs_const, c, n);                                                     \
    }

#define SWAP(u, v)                                                                                                             \
    {                                                                                                                          \
        double *swap = u;                                                                                                      \
        u = v;                                                                                                                 \
        v = swap;                                                                                                              \
    }

/* The ends of a row are handed on by themselves. */
static void diffuse(double *w, int apart, const double *c, int n)
{
    double *u = w, *v = w + apart;
    for (int t = 0; t < STEPS; t++) {
        v[0] = u[0];
        v[n - 1] = u[n - 1];
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] + 0.2 * (u[i - 1] - 2 * u[i] + u[i + 1]);
        SWAP(u, v)
    }
}
// CHECK-LABEL: define {{.*}}@reverse_diffuse(
// CHECK: .owed: {{.*}}preds
// CHECK: ret void
STEP(diffuse)

/* What each step reads is needed, and put back on the way. */
static void advect(double *w, int apart, const double *c, int n)
{
    double *u = w, *v = w + apart;
    for (int t = 0; t < STEPS; t++) {
        v[0] = u[0];
        v[n - 1] = u[n - 1];
        for (int i = 1; i < n - 1; i++)
            v[i] = 0.6 * u[i] - 0.1 * sin(u[i]) * (u[i + 1] - u[i - 1]);
        SWAP(u, v)
    }
}
STEP(advect)

/* Nobody writes the ends: what is said about them adds up from step to step, and there are no zeros. */
static void walled(double *w, int apart, const double *c, int n)
{
    double *u = w, *v = w + apart;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] * c[i] + 0.2 * (u[i - 1] + u[i + 1]);
        SWAP(u, v)
    }
}
STEP(walled)

/* Three cells at each end are left alone, and more than may be looked at. */
static void wide(double *w, int apart, const double *c, int n)
{
    double *u = w, *v = w + apart;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 3; i < n - 3; i++)
            v[i] = u[i - 3] * c[i] + 0.3 * u[i + 1] - 0.2 * u[i];
        SWAP(u, v)
    }
}
STEP(wide)

/* Each step writes less than the one before. */
static void shrink(double *w, int apart, const double *c, int n)
{
    double *u = w, *v = w + apart;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1 + t; i < n - 1 - 2 * t; i++)
            v[i] = u[i] * c[t] + 0.2 * (u[i - 1] + u[i + 1]);
        SWAP(u, v)
    }
}
STEP(shrink)

/* Each step writes more, and the rows of two steps lie beside each other. */
static void grow(double *w, int apart, const double *c, int n)
{
    double *u = w, *v = w + apart;
    for (int t = 0; t < STEPS; t++) {
        for (int i = STEPS - t; i < n - 2 * (STEPS - t); i++)
            v[i + (t & 1)] = u[i] * c[t] + 0.2 * (u[i - 1] + u[i + 1]);
        SWAP(u, v)
    }
}
STEP(grow)

/* A cell in the middle is changed behind the loop, where zeros lie on the way back. */
static void nudge(double *w, int apart, const double *c, int n)
{
    double *u = w, *v = w + apart;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] * c[i] + 0.2 * (u[i - 1] + u[i + 1]);
        v[n / 2] = v[n / 2] * c[t] + u[n / 3];
        SWAP(u, v)
    }
}
STEP(nudge)

/* A cell that is about to be overwritten is read in front of the loop: on the way back it is added to what was just cleared. */
static void recall(double *w, int apart, const double *c, int n)
{
    double *u = w, *v = w + apart;
    for (int t = 0; t < STEPS; t++) {
        u[0] = u[0] * 0.5 + v[n / 2] * c[t];
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] * c[i] + 0.2 * (u[i - 1] + u[i + 1]);
        SWAP(u, v)
    }
}
STEP(recall)

/* The same cell each time, which lies now in the one buffer and now in the other, or in both. */
static void pin(double *w, int apart, const double *c, int n)
{
    double *u = w, *v = w + apart;
    for (int t = 0; t < STEPS; t++) {
        w[3] *= 0.9;
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] * c[i] + 0.2 * (u[i - 1] + u[i + 1]);
        w[MOST / 2] = w[MOST / 2] * c[t] + 0.3;
        SWAP(u, v)
    }
}
STEP(pin)

/* The cell that is read so is known only from a number that is read as well. */
static void seek(double *w, int apart, const double *c, int n)
{
    double *u = w, *v = w + apart;
    for (int t = 0; t < STEPS; t++) {
        u[0] = u[0] * 0.5 + v[(int)(c[t] * n)] * c[t];
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] * c[i] + 0.2 * (u[i - 1] + u[i + 1]);
        v[(int)(c[t + 1] * n)] *= 0.7;
        SWAP(u, v)
    }
}
STEP(seek)

/* Three buffers that take turns. */
static void rotate(double *w, int apart, const double *c, int n)
{
    double *p = w, *u = w + apart, *v = w + 2 * apart;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = 2 * u[i] - p[i] + c[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
        double *turn = p;
        p = u;
        u = v;
        v = turn;
    }
}
STEP(rotate)

/* Which buffer is written is not always the one that was read. */
static void wander(double *w, int apart, const double *c, int n)
{
    static const int from[] = {0, 1, 1, 0, 2}, to[] = {1, 0, 2, 2, 0};
    for (int t = 0; t < STEPS; t++) {
        double *u = w + from[t] * apart, *v = w + to[t] * apart;
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] * c[i] + 0.2 * (u[i - 1] + u[i + 1]);
    }
}
STEP(wander)

/* Some steps are left out, as too short ones are. */
static void pause(double *w, int apart, const double *c, int n)
{
    double *u = w, *v = w + apart;
    for (int t = 0; t < STEPS; t++) {
        const int m = t == 2 || c[t] > 0.75 ? 0 : n;
        for (int i = 1; i < m - 1; i++)
            v[i] = u[i] * c[i] + 0.2 * (u[i - 1] + u[i + 1]);
        SWAP(u, v)
    }
}
STEP(pause)

/* From a third buffer on, rows overlap by some cells. */
static void lap(double *w, int apart, const double *c, int n)
{
    const int place[] = {0, apart, 0, apart, apart / 2, 0};
    for (int t = 0; t < STEPS; t++) {
        double *u = w + place[t], *v = w + place[t + 1];
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] * c[i] + 0.2 * (u[i - 1] + u[i + 1]);
    }
}
STEP(lap)

/* A row that goes to where nobody reads it again, and one that is read twice. */
static void stay(double *w, int apart, const double *c, int n)
{
    double *u = w, *v = w + apart;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i] * c[i] + 0.2 * (u[i - 1] + u[i + 1]);
        if (c[t] > 0.5)
            SWAP(u, v)
    }
}
STEP(stay)

typedef void derivative(double *, double *, int, const double *, int);

static int failures;

/* The gradient of a weighted sum of what `f` leaves, against forward mode. */
static void compare(const char *name, derivative *reverse, derivative *forward, int n, int apart)
{
    static double start[CELLS], x[CELLS], dx[CELLS], gradient[CELLS], weights[CELLS], c[CELLS];
    for (int i = 0; i < CELLS; i++) {
        start[i] = sin(1.7 * i + 0.3);
        weights[i] = cos(0.9 * i);
        c[i] = 0.5 + 0.3 * sin(2.1 * i);
    }
    memcpy(x, start, sizeof x);
    memcpy(dx, weights, sizeof dx);
    reverse(x, dx, apart, c, n);
    memcpy(gradient, dx, sizeof gradient);
    for (int k = 0; k < CELLS; k++) {
        double sum = 0;
        memcpy(x, start, sizeof x);
        memset(dx, 0, sizeof dx);
        dx[k] = 1;
        forward(x, dx, apart, c, n);
        for (int i = 0; i < CELLS; i++)
            sum += weights[i] * dx[i];
        if (!(fabs(sum - gradient[k]) <= TOLERANCE * (1 + fabs(sum)))) {
            printf("%s, %d cells, %d apart: the derivative in %d is %.17g, forward %.17g\n", name, n, apart, k, gradient[k], sum);
            failures++;
        }
    }
}

#define COMPARE(f)                                                                                                             \
    for (int n = 2; n <= MOST; n++)                                                                                            \
        for (int at = 0; at < 6; at++)                                                                                         \
            compare(#f, reverse_##f, forward_##f, n, distances[at]);

int main(void)
{
    static const int distances[] = {0, 1, 3, 20, MOST - 1, MOST};
    COMPARE(diffuse)
    COMPARE(advect)
    COMPARE(walled)
    COMPARE(wide)
    COMPARE(shrink)
    COMPARE(grow)
    COMPARE(nudge)
    COMPARE(recall)
    COMPARE(pin)
    COMPARE(seek)
    COMPARE(rotate)
    COMPARE(wander)
    COMPARE(pause)
    COMPARE(lap)
    COMPARE(stay)
    return failures != 0;
}
