/* Loops of which each pass is reversed as soon as it has run: sums whose adjoints are known before them, with branches, loops inside
 * that record, and the result asked for. And loops that look like it: a sum that decides what it says, a value that is carried,
 * memory that is written behind the loop or in it, a factor that is known only behind it, a loop that runs twice. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: env BACKSWEEP_OPTIONS=disable=fuse %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck --check-prefix=TWO %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O1 %pass %include %s -o %t.O1 %runtime -lm && %t.O1
// RUN: %clang -O2 %pass %include %s -o %t.O2 %runtime -lm && %t.O2
// RUN: %clang -O3 -march=x86-64-v3 -ffast-math %pass %include %s -o %t.fast %runtime -lm && %t.fast
// RUN: %clang -O1 -g -fsanitize=address,undefined %pass %include %s -o %t.asan %runtime -lm && %t.asan
// RUN: env BACKSWEEP_OPTIONS=disable=fuse %clang -O2 %pass %include %s -o %t.two %runtime -lm && %t.two
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define MOST 40
#define NAMED __attribute__((noinline)) static double
#define ARGUMENTS const double *restrict x, double *restrict w, int n

// TWO-NOT: as soon as it has run

// CHECK-LABEL: plan gradient backsweep.primal.discounted
// CHECK-NOT: records
// CHECK: each pass is reversed as soon as it has run; it sums up
NAMED discounted(ARGUMENTS)
{
    double sum = x[0];
    for (int i = 1; i < n; i++)
        sum += exp(0.3 * x[i] * x[1]) * x[i];
    return exp(-x[2]) * sum / (1 + x[3] * x[3]);
}

// CHECK-LABEL: plan gradient backsweep.primal.two_sums
// CHECK: each pass is reversed as soon as it has run; it sums up
NAMED two_sums(ARGUMENTS)
{
    double sum = 0, other = 1;
    for (int i = 0; i < n; i++) {
        double a = sin(x[i] * x[0]), b = 0;
        if (a > 0.3)
            b = exp(a) * a;
        else if (x[i] > -0.5)
            b = sqrt(2 + a);
        sum += a * b;
        other -= b;
    }
    return x[1] * sum - other * 3;
}

// CHECK-LABEL: plan gradient backsweep.primal.paths
// CHECK: each pass is reversed as soon as it has run; it sums up
NAMED paths(ARGUMENTS)
{
    double sum = 0;
    for (int p = 0; p < n; p++) {
        double price = x[0], average = 0;
        for (int t = 0; t < p % 7; t++) {
            price *= exp(0.1 * x[1] + 0.2 * x[2] * sin(p + t));
            if (price > 1.2)
                price = sqrt(price);
            average += price / 7;
        }
        sum += average > x[3] ? average - x[3] : 0.1 * average * average;
    }
    return exp(-x[1]) * sum / n;
}

// CHECK-LABEL: plan gradient backsweep.primal.nonlinear
// CHECK-NOT: as soon as it has run
NAMED nonlinear(ARGUMENTS)
{
    double sum = 1;
    for (int i = 0; i < n; i++)
        sum += exp(0.3 * x[i]);
    return log(sum);
}

// CHECK-LABEL: plan gradient backsweep.primal.decides
// CHECK-NOT: as soon as it has run
NAMED decides(ARGUMENTS)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += exp(0.3 * x[i]);
    return sum > 30 ? 2 * sum : x[0] * sum;
}

// CHECK-LABEL: plan gradient backsweep.primal.carried
// CHECK-NOT: as soon as it has run
NAMED carried(ARGUMENTS)
{
    double sum = 0, last = x[0];
    for (int i = 1; i < n; i++) {
        double now = exp(0.3 * x[i]);
        sum += now * last;
        last = now;
    }
    return sum * x[0];
}

// CHECK-LABEL: plan gradient backsweep.primal.written_behind
// CHECK-NOT: as soon as it has run
NAMED written_behind(ARGUMENTS)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += exp(0.3 * w[i]) * x[i];
    w[0] = x[0] * x[1];
    return sum * x[0] + w[0] * w[0];
}

// CHECK-LABEL: plan gradient backsweep.primal.written_before
NAMED written_before(ARGUMENTS)
{
    double first = w[0] * w[1];
    for (int i = 0; i < n; i++)
        w[i] = x[i] * x[i];
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += exp(0.1 * w[i] * first) * x[i];
    return sum * x[0] + first * w[1];
}

// CHECK-LABEL: plan gradient backsweep.primal.factor_behind
// CHECK: as soon as it has run
// CHECK-NOT: as soon as it has run
// CHECK-LABEL: plan gradient backsweep.primal.factor_behind
NAMED factor_behind(ARGUMENTS)
{
    double sum = 0, other = 0;
    for (int i = 0; i < n; i++)
        sum += exp(0.3 * x[i]);
    for (int i = 0; i < n; i++)
        other += exp(0.2 * x[i]) * sin(x[i]);
    return sum * other + x[0] * sum;
}

// CHECK-LABEL: plan gradient backsweep.primal.twice
// CHECK-NOT: as soon as it has run
NAMED twice(ARGUMENTS)
{
    double all = 0;
    for (int k = 1; k < 3; k++) {
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += exp(0.3 * x[i] * k);
        all = all * x[k] + sin(sum);
    }
    return all;
}

/* So short that what a pass lays of it has room in the stack frame. */
// CHECK-LABEL: plan gradient backsweep.primal.short_paths
// CHECK: laid in ^{{[0-9]+}}, in the stack frame
// CHECK: as soon as it has run
NAMED short_paths(ARGUMENTS)
{
    double sum = 0;
    for (int p = 0; p < n; p++) {
        double price = x[0] + 0.3 * w[p];
        for (int t = 2; t <= 12; t++)
            price *= exp(0.1 * x[p % 4] * sin(price * x[3] + t));
        for (int t = 9; t > 0; t--)
            price = sin(price * x[t % 4]);
        sum += price * x[p];
    }
    return exp(-x[1]) * sum / n;
}

typedef double function(const double *, double *, int);
typedef double gradient(const double *, double *, double *, double *, int);

double __backsweep_gradient_value(void *function, ...);

/* The gradient, the gradient with the value, and two directions at once, of which the second is not asked for. */
#define GRADIENTS(f)                                                                                                   \
    static double f##_plain(const double *x, double *dx, double *w, double *dw, int n)                                 \
    {                                                                                                                  \
        __backsweep_gradient_void((void *)f, x, dx, w, dw, n);                                                         \
        return 0;                                                                                                      \
    }                                                                                                                  \
    static double f##_value(const double *x, double *dx, double *w, double *dw, int n)                                 \
    {                                                                                                                  \
        return __backsweep_gradient_value((void *)f, bs_primal_return, x, dx, w, dw, n);                               \
    }                                                                                                                  \
    static double f##_fresh(const double *x, double *dx, double *w, double *dw, int n)                                 \
    {                                                                                                                  \
        __backsweep_gradient_void((void *)f, bs_dup_fresh, x, dx, bs_dup_noneed, w, dw, n);                            \
        return 0;                                                                                                      \
    }
#define CHECK(f) right &= check(#f, f, f##_plain, 0) & check(#f, f, f##_value, 1) & check(#f, f, f##_fresh, 0)

GRADIENTS(discounted)
GRADIENTS(two_sums)
GRADIENTS(paths)
GRADIENTS(nonlinear)
GRADIENTS(decides)
GRADIENTS(carried)
GRADIENTS(written_behind)
GRADIENTS(written_before)
GRADIENTS(factor_behind)
GRADIENTS(twice)
GRADIENTS(short_paths)

static void set_up(double *x, double *w)
{
    for (int i = 0; i < MOST; i++) {
        x[i] = 0.6 * sin(1.7 * i + 0.4);
        w[i] = 0.5 * cos(2.3 * i);
    }
}

static int agree(const char *name, double found, double wanted, double tolerance)
{
    if (fabs(found - wanted) <= tolerance * (1 + fabs(wanted)))
        return 1;
    fprintf(stderr, "%s: %.17g is not %.17g\n", name, found, wanted);
    return 0;
}

/* What the function gives where one number is another; in `w` it finds what it found before. */
static double run(function *f, int n, int at, double step)
{
    double x[MOST], w[MOST];
    set_up(x, w);
    *(at < MOST ? &x[at] : &w[at - MOST]) += step;
    return f(x, w, n);
}

static int check(const char *name, function *f, gradient *g, int gives)
{
    int right = 1;
    for (int n = 4; n <= MOST; n += 12) {
        double x[MOST], w[MOST], d[2 * MOST] = {0};
        set_up(x, w);
        double value = g(x, d, w, d + MOST, n);
        if (gives)
            right &= agree(name, value, run(f, n, 0, 0), 1e-12);
        for (int i = 0; i < 2 * MOST; i++)
            right &= agree(name, d[i], (run(f, n, i, 1e-6) - run(f, n, i, -1e-6)) / 2e-6, 2e-7);
    }
    return right;
}

int main(void)
{
    int right = 1;
    CHECK(discounted);
    CHECK(two_sums);
    CHECK(paths);
    CHECK(nonlinear);
    CHECK(decides);
    CHECK(carried);
    CHECK(written_behind);
    CHECK(written_before);
    CHECK(factor_behind);
    CHECK(twice);
    CHECK(short_paths);
    return !right;
}
