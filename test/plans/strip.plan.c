/* A long loop in strips: what it hands on is laid down where a strip begins, and one strip has its records at a time. Figure 1 of
 * the paper on linearity for ten million numbers takes less than 64 KiB, and the same numbers come out as with a whole tape;
 * taken back by subtraction, which the user has to ask for, it takes nothing. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: env BACKSWEEP_OPTIONS=disable=strip %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck --check-prefix=TAPED %s
// RUN: env BACKSWEEP_OPTIONS=invert=floats %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck --check-prefix=BACK %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0 > %t.O0.text
// RUN: %clang -O3 %pass %include %s -DMOST=10000000 -DBYTES=65536 -o %t.O3 %runtime -lm && %t.O3
// RUN: env BACKSWEEP_OPTIONS=strip=64 %clang -O2 %pass %include %s -o %t.small %runtime -lm && %t.small > %t.small.text
// RUN: env BACKSWEEP_OPTIONS=disable=strip %clang -O2 %pass %include %s -o %t.off %runtime -lm && %t.off > %t.off.text
// RUN: cmp %t.small.text %t.off.text && cmp %t.small.text %t.O0.text
// RUN: env BACKSWEEP_OPTIONS=invert=floats %clang -O2 %pass %include %s -DBYTES=0 -DROUNDING=1e-6 -o %t.back %runtime -lm && %t.back
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#ifndef MOST
#define MOST 20000
#endif
#ifndef ROUNDING
#define ROUNDING 1e-9
#endif

// CHECK-LABEL: plan gradient backsweep.primal.figure_1
// CHECK: in strips of 4096 passes where there are more than 4194304, each with %{{[0-9]+}} as it begins; one runs again before it is reversed
// TAPED-LABEL: plan gradient backsweep.primal.figure_1
// TAPED-NOT: in strips of
// TAPED-LABEL: plan gradient backsweep.primal.several
// BACK-LABEL: plan gradient backsweep.primal.figure_1
// BACK: take back what is added in ^{{[0-9]+}}, changed by what can be undone
// BACK-NOT: records
// BACK-LABEL: plan gradient backsweep.primal.several
static double figure_1(const double *restrict x, int n)
{
    double a = 0, f = 0;
    for (int i = 0; i < n; i++) {
        a += x[i] * x[i];
        f += sin(a);
    }
    return f;
}

/* Two numbers are handed on and needed as they are, in several blocks; the records hold what the pass before has left. */
// CHECK-LABEL: plan gradient backsweep.primal.several
// CHECK: in strips of {{[0-9]+}} passes where there are more than {{[0-9]+}}, each with %{{[0-9]+}}, %{{[0-9]+}} as it begins
static double several(const double *restrict x, int n)
{
    double u = 0.3, v = 0.7, sum = 0;
    for (int i = 0; i < n; i++) {
        double w = u * v;
        if (x[i] > 0) {
            u = 0.9 * u + 0.1 * w * x[i];
            sum += u * u;
        } else {
            v = 0.8 * v + 0.2 * u * x[i];
        }
        sum += w * v;
    }
    return sum * u;
}

/* What a loop inside takes back is recorded where that loop is entered, and no pass of the strip has computed it there. */
static double rows(const double *restrict x, int n)
{
    double a = 0, sum = 0;
    for (int i = 0; i < n; i++) {
        double s = 0;
        int p = i & 3;
        for (int j = 0; j < (i & 3); j++) {
            s += x[p % n] * x[j];
            p += i * j;
        }
        a += 0.1 * s + x[i];
        sum += sin(a);
    }
    return sum;
}

__attribute__((noinline)) void gradient_1(const double *x, double *dx, int n)
{
    __backsweep_gradient((void *)figure_1, bs_dup, x, dx, bs_const, n);
}

__attribute__((noinline)) void gradient_2(const double *x, double *dx, int n)
{
    __backsweep_gradient((void *)several, bs_dup, x, dx, bs_const, n);
}

double tangent_2(const double *x, const double *dx, int n)
{
    return __backsweep_tangent((void *)several, bs_dup, x, dx, bs_const, n);
}

__attribute__((noinline)) void gradient_3(const double *x, double *dx, int n)
{
    __backsweep_gradient((void *)rows, bs_dup, x, dx, bs_const, n);
}

double tangent_3(const double *x, const double *dx, int n)
{
    return __backsweep_tangent((void *)rows, bs_dup, x, dx, bs_const, n);
}

static int check_1(const double *x, double *dx, int n)
{
    struct bs_tape_stats before, after;
    double a = 0, sum = 0;
    double *sums = malloc(sizeof(double) * (n + 1));
    memset(dx, 0, sizeof(double) * n);
    bs_tape_stats(NULL, &before);
    gradient_1(x, dx, n);
    bs_tape_stats(NULL, &after);
#ifdef BYTES
    if (n == MOST && after.total - before.total > BYTES) {
        printf("%d: %zu bytes of tape\n", n, after.total - before.total);
        return 1;
    }
#endif
    for (int i = 0; i < n; i++)
        sums[i] = a += x[i] * x[i];
    for (int i = n; i-- > 0;) {
        sum += cos(sums[i]);
        double expected = 2 * x[i] * sum;
        if (!(fabs(dx[i] - expected) <= ROUNDING * (1 + fabs(expected)))) {
            printf("%d numbers, %d: %.17g, expected %.17g\n", n, i, dx[i], expected);
            return 1;
        }
    }
    free(sums);
    return 0;
}

typedef void gradient(const double *, double *, int);
typedef double tangent(const double *, const double *, int);

static int check_2(gradient *gradient, tangent *tangent, const double *x, double *dx, double *s, int n)
{
    double left = 0, size = 0;
    memset(dx, 0, sizeof(double) * n);
    gradient(x, dx, n);
    for (int i = 0; i < n; i++) {
        s[i] = cos(3.7 * i);
        left += s[i] * dx[i];
        size += fabs(s[i] * dx[i]);
    }
    double right = tangent(x, s, n);
    if (!(fabs(left - right) <= 1e-10 * (1e-3 + size))) {
        printf("%d numbers: %.17g, tangent %.17g\n", n, left, right);
        return 1;
    }
    return 0;
}

int main(void)
{
    static const int counts[] = {0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 1000, 4095, 4096, 4097, 8191, 8192, 8193, MOST};
    double *x = malloc(sizeof(double) * MOST), *dx = malloc(sizeof(double) * MOST), *s = malloc(sizeof(double) * MOST);
    for (int i = 0; i < MOST; i++)
        x[i] = 0.05 * sin(12.9898 * i) + (i % 3 ? 0 : 0.3);
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k++) {
        int n = counts[k];
        if (check_1(x, dx, n))
            return 1;
        for (int i = 0; i < n && n < 10000; i += 7)
            printf("%a\n", dx[i]);
        if (n <= 20000 && (check_2(gradient_2, tangent_2, x, dx, s, n) || check_2(gradient_3, tangent_3, x, dx, s, n)))
            return 1;
    }
    return 0;
}
