/* What a pass of a loop has decided is recorded as its block ends, though it is read where the ways come together: then nothing passes
 * from one pass to the next, and both loops can be vectorised. Ways of two kinds, one within another, around an inner loop,
 * and one on which nothing runs. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime -lm && %t.O3
// RUN: %clang -O1 -Xclang -disable-llvm-passes %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

#define N 40

/* A filter whose negative answers leak. */
static void leaky(const double *restrict x, const double *restrict weights, double *restrict y)
{
    for (int i = 1; i < N - 1; i++) {
        double s = weights[0] * x[i - 1] + weights[1] * x[i] + weights[2] * x[i + 1];
        y[i] = s > 0 ? s * s : 0.01 * s;
    }
}

/* The upwind of two fluxes where both go one way, and one of both elsewhere. */
static void upwind(const double *restrict x, const double *restrict weights, double *restrict y)
{
    for (int i = 0; i < N - 1; i++) {
        double left = x[i] * weights[0] - 0.4, right = x[i + 1] * weights[1] - 0.6, flux;
        if (left > 0)
            flux = right > left ? left * x[i] : right * right * x[i + 1];
        else
            flux = (right * x[i] - left * x[i + 1]) / (right - left + 3);
        y[i] = flux * flux;
    }
}

/* An inner loop on one of the ways, and a question that is asked only there. */
static void nested(const double *restrict x, const double *restrict weights, double *restrict y)
{
    for (int i = 0; i < N; i++) {
        double s = x[i] * weights[i % 3];
        if (s > 0.3) {
            for (int k = 0; k < i % 5; k++) {
                s = s * x[(i + k) % N];
                if (s > 0.5)
                    s = sin(s);
            }
        }
        y[i] = s > 0.2 ? s * x[i] : s;
    }
}

/* In place, so that what was read is gone. */
// CHECK-LABEL: plan gradient {{.*}}in_place
// CHECK: recorded as the block ends, for the pass: %
static void in_place(const double *restrict x, const double *restrict weights, double *restrict y)
{
    for (int i = 0; i < N; i++)
        y[i] = x[i];
    for (int step = 0; step < 4; step++)
        for (int i = 0; i < N; i++) {
            double old = y[i];
            y[i] = old > weights[step % 3] ? old * old : old + 0.1 * old * weights[1];
        }
}

typedef void kernel(const double *restrict, const double *restrict, double *restrict);

static double value(kernel *f, const double *x)
{
    double y[N] = {0}, sum = 0;
    f(x, x + N, y);
    for (int i = 0; i < N; i++)
        sum += y[i] * (1 + 0.1 * i);
    return sum;
}

static int check(const char *name, kernel *f, const double *dx)
{
    double x[N + 3];
    int right = 1;
    for (int i = 0; i < N + 3; i++)
        x[i] = sin(1 + 7 * i);
    for (int i = 0; i < N + 3; i++) {
        const double at = x[i], h = 1e-6;
        x[i] = at + h;
        double above = value(f, x);
        x[i] = at - h;
        double difference = (above - value(f, x)) / (2 * h);
        x[i] = at;
        if (!(fabs(difference - dx[i]) <= 1e-7 * (1 + fabs(difference)))) {
            printf("%s by number %d: %.10g, by differences %.10g\n", name, i, dx[i], difference);
            right = 0;
        }
    }
    return right;
}

#define CHECK(f)                                                                                                       \
    do {                                                                                                               \
        double x[N + 3], dx[N + 3] = {0}, y[N] = {0}, dy[N];                                                           \
        for (int i = 0; i < N + 3; i++)                                                                                \
            x[i] = sin(1 + 7 * i);                                                                                     \
        for (int i = 0; i < N; i++)                                                                                    \
            dy[i] = 1 + 0.1 * i;                                                                                       \
        __backsweep_gradient_void((void *)f, bs_dup, x, dx, bs_dup, x + N, dx + N, bs_dup, y, dy);                     \
        right &= check(#f, f, dx);                                                                                     \
    } while (0)

int main(void)
{
    int right = 1;
    CHECK(leaky);
    CHECK(upwind);
    CHECK(nested);
    CHECK(in_place);
    return !right;
}
