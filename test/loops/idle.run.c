/* Loops that the reverse sweep passes by where nothing is said about what they hand on: sums that a branch or a choice may throw away,
 * beside memory that is overwritten, in loops that record and in such that are reversed at once, two sums at a time, with branches and
 * loops inside. And loops that look like it: sums that are always taken, that are carried on, loops that store. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: env BACKSWEEP_OPTIONS=disable=idle %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck --check-prefix=ALL %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O1 %pass %include %s -o %t.O1 %runtime -lm && %t.O1
// RUN: %clang -O2 %pass %include %s -o %t.O2 %runtime -lm && %t.O2
// RUN: %clang -O3 -march=x86-64-v3 -ffast-math %pass %include %s -o %t.fast %runtime -lm && %t.fast
// RUN: %clang -O1 -g -fsanitize=address,undefined %pass %include %s -o %t.asan %runtime -lm && %t.asan
// RUN: env BACKSWEEP_OPTIONS='disable=fuse;put-back=always' %clang -O2 %pass %include %s -o %t.two %runtime -lm && %t.two
// RUN: env BACKSWEEP_OPTIONS=disable=notape,mincut,tbr %clang -O2 %pass %include %s -o %t.taped %runtime -lm && %t.taped
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backsweep.h"

#define UNITS 7
#define MOST 23
#define NAMED __attribute__((noinline)) static double
#define ARGUMENTS const double *restrict x, double *restrict w, int n

// ALL-NOT: passed by

/* A unit that is not active has no say. */
// CHECK-LABEL: plan gradient backsweep.primal.units
// CHECK: passed by on the way back where the adjoint of
NAMED units(ARGUMENTS)
{
    double out = 0;
    for (int j = 0; j < UNITS; j++) {
        double a = 0;
        for (int i = 0; i < n; i++)
            a += sin(x[i] * (j + 1)) * x[(i + j) % n];
        if (a > 0)
            out += a * a * x[j];
    }
    return out;
}

/* The same kept in memory, which the next layer overwrites. */
// CHECK-LABEL: plan gradient backsweep.primal.layers
// CHECK: passed by on the way back where the adjoint of
NAMED layers(ARGUMENTS)
{
    double state[MOST], next[MOST];
    for (int i = 0; i < n; i++)
        state[i] = x[i];
    for (int layer = 0; layer < 3; layer++) {
        for (int j = 0; j < n; j++) {
            double a = 0;
            for (int i = 0; i < n; i++)
                a += state[i] * state[j] * x[(i + 2 * j + layer) % n];
            next[j] = a > 0.1 ? 0.4 * a : 0;
        }
        for (int j = 0; j < n; j++)
            state[j] = next[j];
    }
    double out = 0;
    for (int i = 0; i < n; i++)
        out += state[i] * state[i] + w[i] * state[i];
    return out;
}

/* What each pass records stays where it is. */
// CHECK-LABEL: plan gradient backsweep.primal.paths
// CHECK: passed by on the way back where the adjoint of
NAMED paths(ARGUMENTS)
{
    double sum = 0;
    for (int p = 0; p < n; p++) {
        double price = x[0] + 1, mean = 0;
        for (int t = 0; t < 12; t++) {
            price *= exp(0.1 * x[(p + t) % n]);
            mean += price / 12;
        }
        sum += fmax(mean - 1.2, 0);
    }
    return sum * x[1];
}

/* Two sums, of which one alone may be needed, and a loop inside. */
// CHECK-LABEL: plan gradient backsweep.primal.two_sums
// CHECK: passed by on the way back where the adjoint of %{{[0-9]+}}, %{{[0-9]+}} is zero
NAMED two_sums(ARGUMENTS)
{
    double out = 0;
    for (int j = 0; j < UNITS; j++) {
        double a = 0, b = 1;
        for (int i = 0; i < n; i++) {
            for (int k = 0; k < i % 4; k++)
                a += x[i] * x[k] * (j - 3);
            if (x[i] > 0.2)
                b += cos(x[i] + j);
        }
        if (a > 0.5)
            out += a;
        if (b > 2)
            out += b * x[j];
    }
    return out;
}

/* What overwrites memory behind the loop has its say about what was there before. */
// CHECK-LABEL: plan gradient backsweep.primal.overwritten
NAMED overwritten(ARGUMENTS)
{
    double out = 0;
    for (int j = 0; j < UNITS; j++) {
        double a = 0;
        for (int i = 0; i < n; i++)
            a += w[i] * w[(i + 1) % n] * x[i];
        w[j % n] = a > 0.3 ? sin(a) : x[j % n] * w[j % n];
        out += w[j % n] * w[j % n];
    }
    return out;
}

/* A value that goes on in any case. */
// CHECK-LABEL: plan gradient backsweep.primal.always
// CHECK-NOT: passed by
NAMED always(ARGUMENTS)
{
    double out = 0;
    for (int j = 0; j < UNITS; j++) {
        double a = 0;
        for (int i = 0; i < n; i++)
            a += x[i] * x[(i + j) % n];
        if (a > 0)
            out += a;
        out += 0.1 * a;
    }
    return out;
}

/* A loop that stores says what it stores. */
// CHECK-LABEL: plan gradient backsweep.primal.stores
// CHECK-NOT: passed by
NAMED stores(ARGUMENTS)
{
    double out = 0;
    for (int j = 0; j < UNITS; j++) {
        double a = 0;
        for (int i = 0; i < n; i++) {
            w[i] = x[i] * x[j] + 0.5 * w[i];
            a += w[i];
        }
        if (a > 1)
            out += a;
    }
    return out + w[0] * w[1];
}

static double at(int i, int k) { return sin(1.7 * i + 0.9 * k) * 0.8; }

typedef double (*program)(ARGUMENTS);

static double run(program f, const double *x, int k, int n)
{
    double w[MOST];
    for (int i = 0; i < n; i++)
        w[i] = at(3 * i, k);
    return f(x, w, n);
}

/* Where a difference of two sizes is not the same, a branch lies between. */
static int compare(const char *name, program f, const double *dx, const double *x0, int k, int n)
{
    int right = 1;
    double x[MOST];
    for (int i = 0; i < n; i++)
        x[i] = x0[i];
    for (int i = 0; i < n; i++) {
        double slope[2];
        for (int s = 0; s < 2; s++) {
            const double h = s ? 1e-6 : 2e-6;
            x[i] = x0[i] + h;
            const double above = run(f, x, k, n);
            x[i] = x0[i] - h;
            slope[s] = (above - run(f, x, k, n)) / (2 * h);
            x[i] = x0[i];
        }
        const double size = 1 + fabs(slope[1]);
        if (fabs(slope[0] - slope[1]) > 1e-6 * size || fabs(dx[i] - slope[1]) < 1e-5 * size)
            continue;
        printf("%s, case %d: d/dx[%d] is %.12g, and by differences %.12g\n", name, k, i, dx[i], slope[1]);
        right = 0;
    }
    return right;
}

#define CHECK(f)                                                                                                       \
    for (int k = 0; k < 6; k++) {                                                                                      \
        const int n = k == 5 ? MOST : UNITS + k;                                                                       \
        double x[MOST], dx[MOST] = {0}, w[MOST], dw[MOST] = {0}, forward = 0, backward = 0, one[MOST], none[MOST] = {0}; \
        for (int i = 0; i < n; i++)                                                                                    \
            x[i] = at(i, k), w[i] = at(3 * i, k), one[i] = 1 + 0.1 * i;                                                \
        __backsweep_gradient_void((void *)f, x, dx, w, dw, n);                                                         \
        for (int i = 0; i < n; i++)                                                                                    \
            w[i] = at(3 * i, k), backward += one[i] * dx[i];                                                           \
        forward = __backsweep_tangent((void *)f, x, one, w, none, n);                                              \
        if (fabs(forward - backward) > 1e-9 * (1 + fabs(forward)))                                                     \
            printf("%s, case %d: forward %.15g, backward %.15g\n", #f, k, forward, backward), right = 0;               \
        right &= compare(#f, f, dx, x, k, n);                                                                          \
    }

int main(void)
{
    int right = 1;
    CHECK(units);
    CHECK(layers);
    CHECK(paths);
    CHECK(two_sums);
    CHECK(overwritten);
    CHECK(always);
    CHECK(stores);
    return !right;
}
