/* Adjoints that neighbouring iterations add to the same cells: carried in registers, at any number of iterations, any step,
 * and whether or not the arrays are one. */
// RUN: %clang -O3 -march=x86-64-v3 %pass %include -S -emit-llvm %s -o - | FileCheck %s
// RUN: env BACKSWEEP_OPTIONS=disable=sums %clang -O3 -march=x86-64-v3 %pass %include -S -emit-llvm %s -o - | FileCheck --check-prefix=APART %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 -lm %runtime && %t.O2
// RUN: %clang -O3 %pass %include %s -o %t.O3 -lm %runtime && %t.O3
// RUN: %clang -O3 -ffast-math -DTOLERANCE=1e-11 %pass %include %s -o %t.fast -lm %runtime && %t.fast
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

#ifndef TOLERANCE
#define TOLERANCE 1e-12
#endif
#define MOST 48

/* Out of place: three cells of u for each of v. */
static void smooth(double *u, double *v, int n)
{
    for (int i = 4; i < n - 4; i++)
        v[i] = u[i] + 0.2 * (u[i - 1] - 2 * u[i] + u[i + 1]) * (1 + u[i]);
}

// The reverse loop adds to several cells at a time; without leave to change places it cannot.
// CHECK-LABEL: define {{.*}}@adjoint_of_smooth(
// CHECK: phi <4 x double>
// CHECK: ret void
// APART-LABEL: define {{.*}}@adjoint_of_smooth(
// APART-NOT: phi <4 x double>
// APART: ret void
void adjoint_of_smooth(double *u, double *du, double *v, double *dv, int n)
{
    __backsweep_gradient_void((void *)smooth, u, du, bs_dup_noneed, v, dv, n);
}

/* Towards the front, two cells at a time, and one cell that all iterations add to. */
static void backwards(double *u, double *v, int n)
{
    for (int i = n - 5; i >= 4; i -= 2)
        v[i] = u[i - 2] * u[i + 2] - u[i] * u[1] + 0.3 * u[i - 3];
}

/* Cells that come three iterations after each other, and a sum that is taken away. */
static void far(double *u, double *v, int n)
{
    for (int i = 4; i < n - 4; i++)
        v[i] -= u[i + 3] * u[i] - u[i - 1] * v[2];
}

/* Every other addition depends on what was read. */
static void chosen(double *u, double *v, int n)
{
    for (int i = 4; i < n - 4; i++)
        if (u[i] > 0)
            v[i] = u[i - 1] * u[i + 1];
        else
            v[i] = u[i + 1] - u[i];
}

/* All iterations of the inner loop add to one adjoint, in memory that nobody else has: LLVM puts it into a register by itself. */
static void columns(double *u, double *v, int n)
{
    double times[8];
    for (int k = 0; k < 8; k++)
        times[k] = u[k] * u[k];
    for (int k = 0; k < 8; k++)
        for (int i = 0; i < n - 8; i++)
            v[i] += u[i + 8] * times[k];
}

// CHECK-LABEL: define {{.*}}@backsweep.gradient.columns(
// CHECK: call reassoc {{.*}}@llvm.vector.reduce.fadd
// APART-LABEL: define {{.*}}@backsweep.gradient.columns(
// APART-NOT: call {{.*}}@llvm.vector.reduce.fadd
void adjoint_of_columns(double *u, double *du, double *v, double *dv, int n)
{
    __backsweep_gradient_void((void *)columns, u, du, bs_dup_noneed, v, dv, n);
}

typedef void derivative(double *, double *, double *, double *, int);

static int failures;

/* The gradient of a weighted sum of what `f` leaves, against forward mode, with v some cells behind u. */
static void compare(const char *name, derivative *reverse, derivative *forward, int n, int apart)
{
    static double start[2 * MOST], x[2 * MOST], dx[2 * MOST], gradient[2 * MOST], weights[2 * MOST];
    double *u = x, *v = x + apart, *du = dx, *dv = dx + apart;
    for (int i = 0; i < 2 * MOST; i++) {
        start[i] = sin(1.7 * i + 0.3);
        weights[i] = cos(0.9 * i);
    }
    memcpy(x, start, sizeof x);
    memcpy(dx, weights, sizeof dx);
    reverse(u, du, v, dv, n);
    memcpy(gradient, dx, sizeof gradient);
    for (int k = 0; k < 2 * MOST; k++) {
        double sum = 0;
        memcpy(x, start, sizeof x);
        memset(dx, 0, sizeof dx);
        dx[k] = 1;
        forward(u, du, v, dv, n);
        for (int i = 0; i < 2 * MOST; i++)
            sum += weights[i] * dx[i];
        if (!(fabs(sum - gradient[k]) <= TOLERANCE * (1 + fabs(sum)))) {
            printf("%s, %d cells, %d apart: the derivative in %d is %.17g, forward %.17g\n", name, n, apart, k, gradient[k], sum);
            failures++;
        }
    }
}

/* A hook names its function. */
#define STEP(f)                                                                                                                \
    static void reverse_##f(double *u, double *du, double *v, double *dv, int n)                                               \
    {                                                                                                                          \
        __backsweep_gradient_void((void *)f, u, du, v, dv, n);                                                                 \
    }                                                                                                                          \
    static void forward_##f(double *u, double *du, double *v, double *dv, int n)                                               \
    {                                                                                                                          \
        __backsweep_tangent_void((void *)f, u, du, v, dv, n);                                                                  \
    }
#define COMPARE(f)                                                                                                             \
    for (int n = 0; n <= 40; n++)                                                                                              \
        for (int at = 0; at < 6; at++)                                                                                         \
            compare(#f, reverse_##f, forward_##f, n, distances[at]);
STEP(smooth)
STEP(backwards)
STEP(far)
STEP(chosen)
STEP(columns)

int main(void)
{
    static const int distances[] = {0, 1, 2, 5, MOST - 8, MOST};
    COMPARE(smooth)
    COMPARE(backwards)
    COMPARE(far)
    COMPARE(chosen)
    COMPARE(columns)
    return failures != 0;
}
