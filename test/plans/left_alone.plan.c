/* What is read from cells that later stores leave alone, though they are stored into the same array, is read again: a factorisation
 * records what it divides, and nothing of its inner loop; a triangular solver nothing that it has solved. Where a later pass does
 * come to the cells, they are recorded or put back. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 %runtime -lm && %t.O2
// RUN: %clang -O3 -ffast-math %pass %include %s -o %t.fast %runtime -lm && %t.fast
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define MOST 24

/* Rows of a length that is known when it runs. */
// CHECK-LABEL: plan gradient backsweep.primal.factor
// CHECK-NOT: saves what it overwrites
// CHECK: nothing overwrites it, so it is read again
// CHECK-NOT: saves what it overwrites
static double factor(const double *restrict x, double *restrict a, int n)
{
    double sum = 0;
    for (int i = 0; i < n * n; i++)
        a[i] = x[i];
    for (int k = 0; k < n; k++)
        for (int i = k + 1; i < n; i++) {
            a[i * n + k] /= a[k * n + k];
            for (int j = k + 1; j < n; j++)
                a[i * n + j] -= a[i * n + k] * a[k * n + j];
        }
    for (int k = 0; k < n; k++)
        sum += log(fabs(a[k * n + k]));
    return sum;
}

/* Column by column, in an array of its own. */
// CHECK-LABEL: plan gradient backsweep.primal.columns
static double columns(const double *restrict x, double *restrict y, int n)
{
    double a[MOST][MOST], sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a[i][j] = x[i * n + j] + x[j * n + i];
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++)
            for (int i = j; i < n; i++)
                a[i][j] -= a[i][k] * a[j][k];
        double d = sqrt(a[j][j]);
        for (int i = j; i < n; i++)
            a[i][j] /= d;
    }
    for (int i = 0; i < n; i++) {
        double s = 1;
        for (int k = 0; k < i; k++)
            s -= a[i][k] * y[k];
        y[i] = s / a[i][i];
        sum += y[i] * y[i];
    }
    return sum;
}

/* The next pass of the outer loop comes to all cells again. */
// CHECK-LABEL: plan gradient backsweep.primal.again
// CHECK: saves what it overwrites
static double again(const double *restrict x, double *restrict a, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        a[i] = x[i];
    for (int t = 0; t < 4; t++)
        for (int i = 1; i < n; i++)
            a[i] = sin(a[i]) * cos(a[i - 1]) + 0.1;
    for (int i = 0; i < n; i++)
        sum += a[i] * a[i];
    return sum;
}

/* Odd cells are written from even ones, and even ones behind. */
static double strides(const double *restrict x, double *restrict a, int n)
{
    double sum = 0;
    for (int i = 0; i < 2 * n; i++)
        a[i] = x[i];
    for (int i = 0; i < n; i++)
        a[2 * i + 1] += sin(a[2 * i]) * a[2 * i];
    for (int i = 0; i < n - 1; i++)
        a[2 * i] *= a[2 * i + 1];
    for (int i = 0; i < 2 * n; i++)
        sum += a[i] * a[i];
    return sum;
}

/* The last of the inner passes comes to the cell that the first has read. */
static double around(const double *restrict x, double *restrict a, int n)
{
    double sum = 0;
    for (int i = 0; i < n * n; i++)
        a[i] = x[i];
    for (int i = 0; i < n - 1; i++)
        for (int j = 0; j <= n; j++)
            a[i * n + j] += 0.3 * a[i * n + n] * a[i * n];
    for (int i = 0; i < n * n; i++)
        sum += a[i] * a[i];
    return sum;
}

typedef double function(const double *restrict x, double *restrict a, int n);

static int check(const char *name, function *f, const double *dx, double *x, int count, int n)
{
    static double a[MOST * MOST];
    for (int i = 0; i < count; i++) {
        const double kept = x[i], h = 1e-5;
        x[i] = kept + h;
        double up = f(x, a, n);
        x[i] = kept - h;
        double down = f(x, a, n);
        x[i] = kept;
        double expected = (up - down) / (2 * h);
        if (fabs(dx[i] - expected) > 1e-6 * (1 + fabs(expected))) {
            printf("%s %d: %.12g, by differences %.12g\n", name, i, dx[i], expected);
            return 1;
        }
    }
    return 0;
}

static double x[MOST * MOST], dx[MOST * MOST], a[MOST * MOST], da[MOST * MOST];

static void set_up(int n)
{
    for (int i = 0; i < MOST * MOST; i++) {
        x[i] = 0.5 + 0.3 * sin(1.7 * i) + (i % (n + 1) == 0 ? n : 0);
        dx[i] = da[i] = a[i] = 0;
    }
}

#define CHECK(f, count, n) \
    (set_up(n), __backsweep_gradient_void((void *)f, x, dx, bs_dup_noneed, a, da, n), check(#f, f, dx, x, count, n))

int main(void)
{
    struct bs_tape_stats before, after;
    bs_tape_stats(NULL, &before);
    int wrong = CHECK(factor, 20 * 20, 20);
    bs_tape_stats(NULL, &after);
    /* A number for each quotient, and where the records of the loops lie. */
    wrong += after.total - before.total > 8 * (20 * 20 / 2 + 2 * 20 * 20);
    printf("%zu bytes\n", (size_t)(after.total - before.total));
    wrong += CHECK(columns, 9 * 9, 9) + CHECK(again, 17, 17) + CHECK(strides, 34, 17) + CHECK(around, 64, 8);
    return wrong != 0;
}
