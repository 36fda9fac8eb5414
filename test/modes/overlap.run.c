/* Parameters that overlap, by every distance, and parameters that do not: the version that the test on entry chooses is
   right in each case. Against central differences over the memory that all of them share. */
// RUN: %clang -O0 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clang -O2 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clang -O1 -Xclang -disable-llvm-passes %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck %s
// CHECK: goes to another version where %0, %1, %2 are apart
// CHECK: relies on %0, %1, %2 being apart
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

extern void __backsweep_gradient_none(void *, ...);

enum { N = 5, MEMORY = 64 };

static void multiply(const double *a, const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++) {
        double s = 0;
        for (int j = 0; j < n; j++)
            s += a[i * n + j] * x[j] * x[j];
        y[i] = s;
    }
}

static void downwards(const double *a, const double *x, double *y, int n)
{
    for (int i = n - 1; i >= 0; i--)
        y[2 * i] = sin(a[i]) * x[n - 1 - i] * x[i];
}

static void triangle(const double *a, const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = i; j < n; j++)
            y[j] = 0.5 * sin(y[j] * x[i]) + 0.1 * a[j - i] * a[j - i];
}

typedef void kernel(const double *, const double *, double *, int);

/* What the shared memory holds behind the kernel, weighted. */
static double run(kernel *f, double *memory, int a, int x, int y)
{
    f(memory + a, memory + x, memory + y, N);
    double s = 0;
    for (int i = 0; i < MEMORY; i++)
        s += cos(i) * memory[i];
    return s;
}

static void fill(double *memory)
{
    for (int i = 0; i < MEMORY; i++)
        memory[i] = 0.3 + 0.01 * ((i * 37) % 50);
}

static int check(const char *name, kernel *f, int a, int x, int y, const double *gradient)
{
    double memory[MEMORY];
    for (int k = 0; k < MEMORY; k++) {
        double h = 1e-6;
        fill(memory);
        memory[k] += h;
        double up = run(f, memory, a, x, y);
        fill(memory);
        memory[k] -= h;
        double down = run(f, memory, a, x, y);
        double expected = (up - down) / (2 * h);
        if (!(fabs(gradient[k] - expected) <= 1e-6 * (1 + fabs(expected)))) {
            printf("%s a %d x %d y %d: derivative %d is %g, expected %g\n", name, a, x, y, k, gradient[k], expected);
            return 0;
        }
    }
    return 1;
}

#define TRY(F, A, X, Y)                                                                                       \
    do {                                                                                                      \
        double memory[MEMORY], shadow[MEMORY];                                                                \
        fill(memory);                                                                                         \
        for (int i = 0; i < MEMORY; i++)                                                                      \
            shadow[i] = cos(i);                                                                               \
        __backsweep_gradient_none((void *)F, bs_dup, memory + A, shadow + A, bs_dup, memory + X, shadow + X,  \
                                  bs_dup, memory + Y, shadow + Y, N);                                         \
        ok &= check(#F, F, A, X, Y, shadow);                                                                  \
    } while (0)

int main(void)
{
    int ok = 1;
    for (int y = 0; y < 50; y++) {
        TRY(multiply, 10, 40, y);
        TRY(multiply, 20, 18, y);
        TRY(downwards, 10, 30, y);
        TRY(downwards, 30, 28, y);
        TRY(triangle, 10, 30, y);
        TRY(triangle, y, y, 25);
    }
    return !ok;
}
