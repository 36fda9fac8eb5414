/* Numbers of loops that are kept in the shadow of `bs_dup_fresh` until their pass is reversed, and loops that look as if theirs
 * could be: another read of the same memory, behind the loop, in another pass or through another pointer, a loop that runs
 * twice, passes without a cell. All give what they give with `bs_dup`, and what differences say. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: env BACKSWEEP_OPTIONS=disable=notape %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck --check-prefix=TAPED %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O1 %pass %include %s -o %t.O1 %runtime -lm && %t.O1
// RUN: %clang -O2 %pass %include %s -o %t.O2 %runtime -lm && %t.O2
// RUN: %clang -O3 -march=x86-64-v3 -ffast-math %pass %include %s -DROUNDING=1e-9 -o %t.fast %runtime -lm && %t.fast
// RUN: %clang -O1 -g -fsanitize=address,undefined %pass %include %s -o %t.asan %runtime -lm && %t.asan
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define MOST 64
#ifndef ROUNDING
#define ROUNDING 1e-12
#endif
#define NAMED __attribute__((noinline)) static double
#define ARGUMENTS const double *restrict x, const double *restrict y, int n

// TAPED-NOT: is kept in the shadow

// CHECK-LABEL: plan gradient backsweep.primal.shares (dup_fresh
// CHECK-NOT: records
// CHECK: of each pass is kept in the shadow of what
// CHECK-NOT: records
// CHECK-LABEL: plan gradient backsweep.primal.shares (dup,
NAMED shares(ARGUMENTS)
{
    double largest = x[0], sum = 0;
    for (int i = 1; i < n; i++)
        if (x[i] > largest)
            largest = x[i];
    for (int i = 0; i < n; i++)
        sum += exp(x[i] - largest);
    return largest + log(sum) + y[0] * y[1];
}

// CHECK-LABEL: plan gradient backsweep.primal.from_behind (dup_fresh
// CHECK: of each pass is kept in the shadow of what
// CHECK-LABEL: plan gradient backsweep.primal.from_behind (dup,
NAMED from_behind(ARGUMENTS)
{
    double sum = y[0];
    for (int i = n - 2; i >= 0; i--)
        sum += exp(x[i + 1] * 0.3);
    return sum * sum;
}

// CHECK-LABEL: plan gradient backsweep.primal.both (dup_fresh
// CHECK: of each pass is kept in the shadow of what
// CHECK: of each pass is kept in the shadow of what
// CHECK-LABEL: plan gradient backsweep.primal.both (dup,
NAMED both(ARGUMENTS)
{
    double sum = 1, other = 1;
    for (int i = 0; i < n; i++)
        sum += exp(x[i] * 0.3);
    for (int i = 0; i < n; i++)
        other += sin(exp(y[i] * 0.2));
    return log(sum * other);
}

// CHECK-LABEL: plan gradient backsweep.primal.read_behind (dup_fresh
// CHECK-NOT: is kept in the shadow
// CHECK-LABEL: plan gradient backsweep.primal.read_behind (dup,
NAMED read_behind(ARGUMENTS)
{
    double sum = y[0];
    for (int i = 0; i < n; i++)
        sum += exp(x[i] * 0.3);
    return log(sum) * x[n / 2];
}

// CHECK-LABEL: plan gradient backsweep.primal.neighbours (dup_fresh
// CHECK-NOT: is kept in the shadow
// CHECK-LABEL: plan gradient backsweep.primal.neighbours (dup,
NAMED neighbours(ARGUMENTS)
{
    double sum = y[0];
    for (int i = 0; i < n - 1; i++)
        sum += exp(x[i] * 0.3) * x[i + 1];
    return sum * sum;
}

// CHECK-LABEL: plan gradient backsweep.primal.again (dup_fresh
// CHECK: ^1: %{{[0-9]+}} of each pass is kept in the shadow of what
// CHECK-NOT: is kept in the shadow
// CHECK-LABEL: plan gradient backsweep.primal.again (dup,
/* The sum has room behind y, the exponentials of a loop that runs three times have none behind x. */
NAMED again(ARGUMENTS)
{
    double sum = 1;
    for (int k = 0; k < 3; k++) {
        double all = 0;
        for (int i = 0; i < n; i++)
            all += exp(x[i] * 0.1 * sum);
        sum = log(all) * y[k];
    }
    return sum * sum;
}

// CHECK-LABEL: plan gradient backsweep.primal.sometimes (dup_fresh
// CHECK-NOT: is kept in the shadow
// CHECK-LABEL: plan gradient backsweep.primal.sometimes (dup,
NAMED sometimes(ARGUMENTS)
{
    double sum = y[0];
    for (int i = 0; i < 2 * n; i++) {
        double share = exp(0.1 * sum);
        sum += i < n ? share * x[i] : share * 0.01;
    }
    return sum * sum;
}

// CHECK-LABEL: plan gradient backsweep.primal.one_cell (dup_fresh
// CHECK-NOT: is kept in the shadow
// CHECK-LABEL: plan gradient backsweep.primal.one_cell (dup,
NAMED one_cell(ARGUMENTS)
{
    double sum = y[0];
    for (int i = 0; i < n; i++)
        sum += exp(0.01 * sum * x[i / 2]);
    return sum * sum;
}

// CHECK-LABEL: plan gradient backsweep.primal.another_way (dup_fresh
// CHECK-NOT: is kept in the shadow
// CHECK-LABEL: plan gradient backsweep.primal.another_way (dup,
NAMED another_way(const double *x, const double *y, int n)
{
    double sum = 1, other = 0;
    for (int i = 0; i < n; i++)
        sum += exp(x[i] * 0.3);
    for (int i = 0; i < n; i++)
        other += y[i] * y[n - 1 - i];
    return log(sum) * other;
}

typedef double function(const double *, const double *, int);

static int agree(const char *name, double a, double b, double tolerance)
{
    if (fabs(a - b) <= tolerance * (1 + fabs(b)))
        return 1;
    fprintf(stderr, "%s: %.17g is not %.17g\n", name, a, b);
    return 0;
}

static int differences_agree(const char *name, function *f, double *x, double *y, double *at, double found, int n)
{
    double kept = *at, step = 1e-6;
    *at = kept + step;
    double up = f(x, y, n);
    *at = kept - step;
    double down = f(x, y, n);
    *at = kept;
    return agree(name, found, (up - down) / (2 * step), 1e-6);
}

#define CHECK(f, n) right &= check(#f, f, n, f##_zeros, f##_added)
#define GRADIENTS(f)                                                                                                   \
    static void f##_zeros(const double *x, double *dx, const double *y, double *dy, int n)                             \
    {                                                                                                                  \
        __backsweep_gradient_void((void *)f, bs_dup_fresh, x, dx, bs_dup_fresh, y, dy, n);                             \
    }                                                                                                                  \
    static void f##_added(const double *x, double *dx, const double *y, double *dy, int n)                             \
    {                                                                                                                  \
        __backsweep_gradient_void((void *)f, x, dx, y, dy, n);                                                         \
    }
GRADIENTS(shares)
GRADIENTS(from_behind)
GRADIENTS(both)
GRADIENTS(read_behind)
GRADIENTS(neighbours)
GRADIENTS(again)
GRADIENTS(sometimes)
GRADIENTS(one_cell)
GRADIENTS(another_way)

typedef void gradient(const double *, double *, const double *, double *, int);

static int check(const char *name, function *f, int n, gradient *zeros, gradient *added)
{
    double *x = malloc(n * sizeof *x), *y = malloc(n * sizeof *y);
    double *dx = calloc(n, sizeof *x), *dy = calloc(n, sizeof *y), *ax = calloc(n, sizeof *x), *ay = calloc(n, sizeof *y);
    for (int i = 0; i < n; i++) {
        x[i] = sin(1.7 * i + 0.2);
        y[i] = 1 + 0.5 * cos(2.3 * i);
    }
    zeros(x, dx, y, dy, n);
    added(x, ax, y, ay, n);
    int right = 1;
    for (int i = 0; i < n; i++) {
        right &= agree(name, dx[i], ax[i], ROUNDING) && agree(name, dy[i], ay[i], ROUNDING);
        right &= differences_agree(name, f, x, y, &x[i], dx[i], n) && differences_agree(name, f, x, y, &y[i], dy[i], n);
    }
    free(x), free(y), free(dx), free(dy), free(ax), free(ay);
    return right;
}

/* One array for both parameters, and one shadow: what is added through one is seen through the other. */
static int check_one_array(void)
{
    double x[MOST], dx[MOST] = {0};
    for (int i = 0; i < MOST; i++)
        x[i] = sin(1.7 * i + 0.2);
    another_way_zeros(x, dx, x, dx, MOST);
    int right = 1;
    for (int i = 0; i < MOST; i++)
        right &= differences_agree("one array", another_way, x, x, &x[i], dx[i], MOST);
    return right;
}

int main(void)
{
    int right = 1;
    for (int n = 3; n <= MOST; n += 61) {
        CHECK(shares, n);
        CHECK(from_behind, n);
        CHECK(both, n);
        CHECK(read_behind, n);
        CHECK(neighbours, n);
        CHECK(again, n);
        CHECK(sometimes, n);
        CHECK(one_cell, n);
        CHECK(another_way, n);
    }
    return !(right && check_one_array());
}
