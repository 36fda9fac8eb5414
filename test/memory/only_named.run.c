/* Static arrays beside a parameter without `restrict`. Where the program leads to an array by its name alone, no pointer can lie on it, and what
 * the parameter points to is read again. Where its address is handed to a function, kept, or returned, a parameter may be the array itself: `given`
 * writes over what it reads, `kept` and `returned` read what was written under another name. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -S -emit-llvm %include %s -o %t.ll
// RUN: %opt '-passes=print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 -lm %runtime && %t.O2
// RUN: %clang -O3 -march=x86-64-v3 %pass %include %s -o %t.v3 -lm %runtime && %t.v3
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

#define N 12

static double named[N], given[N], kept[N], returned[N];
static double *where = kept;

// CHECK-LABEL: plan gradient backsweep.primal.by_name
// CHECK: nothing overwrites it, so it is read again
// CHECK-NOT: records
static double by_name(const double *x)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        named[i] = x[i] * x[(i + 5) % N];
    for (int i = 0; i < N; i++)
        sum += named[i] * named[N - 1 - i];
    return sum;
}

/* `y` is `given`: each pass reads what the one before wrote. */
// CHECK-LABEL: plan gradient backsweep.primal.by_parameter
// CHECK: records
__attribute__((noinline)) static double fill(const double *x, const double *y)
{
    double sum = 0;
    for (int i = 1; i < N; i++) {
        given[i] = x[i] * y[i - 1] * y[i - 1];
        sum += sin(y[i]);
    }
    return sum;
}

static double by_parameter(const double *x)
{
    given[0] = x[0];
    return fill(x, given);
}

static double by_kept_address(const double *x)
{
    double *y = where, sum = 0;
    kept[0] = x[0];
    for (int i = 1; i < N; i++) {
        y[i] = x[i] * kept[i - 1] * kept[i - 1];
        sum += sin(kept[i]);
    }
    return sum;
}

__attribute__((noinline)) static double *find(int i) { return returned + i; }

static double by_returned_address(const double *x)
{
    double sum = 0;
    returned[0] = x[0];
    for (int i = 1; i < N; i++) {
        double *y = find(i);
        *y = x[i] * y[-1] * returned[i - 1];
        sum += sin(returned[i]);
    }
    return sum;
}

static double expected(const double *x, int i) { return i == 0 ? x[0] : x[i] * expected(x, i - 1) * expected(x, i - 1); }

static double chained(const double *x)
{
    double sum = 0;
    for (int i = 1; i < N; i++)
        sum += sin(expected(x, i));
    return sum;
}

static double products(const double *x)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += x[i] * x[(i + 5) % N] * x[N - 1 - i] * x[(N - 1 - i + 5) % N];
    return sum;
}

static int check(const char *name, const double *x, const double *dx, double (*f)(const double *))
{
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        double moved[N];
        for (int k = 0; k < N; k++)
            moved[k] = x[k];
        const double h = 1e-6;
        moved[i] = x[i] + h;
        double up = f(moved);
        moved[i] = x[i] - h;
        double difference = (up - f(moved)) / (2 * h);
        if (!(fabs(dx[i] - difference) <= 1e-8 * (1 + fabs(difference)))) {
            printf("%s %d: %.12g, by differences %.12g\n", name, i, dx[i], difference);
            wrong = 1;
        }
    }
    return wrong;
}

int main(void)
{
    double x[N], d[4][N] = {{0}};
    for (int i = 0; i < N; i++)
        x[i] = 0.9 + 0.1 * sin(12.9898 * i);
    __backsweep_gradient((void *)by_name, bs_dup, x, d[0]);
    __backsweep_gradient((void *)by_parameter, bs_dup, x, d[1]);
    __backsweep_gradient((void *)by_kept_address, bs_dup, x, d[2]);
    __backsweep_gradient((void *)by_returned_address, bs_dup, x, d[3]);
    return check("name", x, d[0], products) | check("parameter", x, d[1], chained) | check("kept", x, d[2], chained) |
           check("returned", x, d[3], chained);
}
