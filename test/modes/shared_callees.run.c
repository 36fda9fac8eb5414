/* Requests of one file share the derivative of a function that both call, unless it means something else to each: what a copy moves is told
   by callers too. Here the same recursive copy moves singles for the first, and doubles for the others, which share it. */
// RUN: %clang -O0 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O2 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O0 %include %pass -S -emit-llvm %s -o - | %filecheck %s
// CHECK: define internal void @backsweep.reverse.move.ddc.1(
// CHECK: define internal void @backsweep.reverse.move.ddc.1.2(
// CHECK-NOT: define internal void @backsweep.reverse.move.ddc.1.3(
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

static __attribute__((noinline)) void move(void *to, const void *from, int n)
{
    if (n <= 0)
        return;
    __builtin_memcpy(to, from, 8);
    move((char *)to + 8, (const char *)from + 8, n - 1);
}

static double of_singles(const double *x)
{
    float p[8], q[8], r[8];
    for (int i = 0; i < 8; i++)
        p[i] = x[i / 2] * x[i / 2];
    move(q, p, 4);
    move(r, p, 4);
    double s = 0;
    for (int i = 0; i < 8; i++)
        s += q[i] * (i + 1) + r[i] * r[i];
    return s;
}

static double of_doubles(const double *x)
{
    double p[4], q[4], r[4];
    for (int i = 0; i < 4; i++)
        p[i] = x[i] * x[i];
    move(q, p, 4);
    move(r, p, 4);
    double s = 0;
    for (int i = 0; i < 4; i++)
        s += q[i] * (i + 1) + r[i] * r[i];
    return s;
}

static double of_more_doubles(const double *x)
{
    double p[4], q[4];
    for (int i = 0; i < 4; i++)
        p[i] = sin(x[i]);
    move(q, p, 4);
    return q[0] * q[1] + q[2] * q[3];
}

static int wrong;

static void check(const char *what, double (*f)(const double *), const double *gradient, double bound)
{
    for (int i = 0; i < 4; i++) {
        double x[4] = {0.9, 1.1, 0.7, 1.3}, h = bound;
        x[i] += h;
        double up = f(x);
        x[i] -= 2 * h;
        double difference = (up - f(x)) / (2 * h);
        if (!(fabs(gradient[i] - difference) < 10 * bound * (1 + fabs(difference)))) {
            printf("%s %d: %.10g, and differences say %.10g\n", what, i, gradient[i], difference);
            wrong = 1;
        }
    }
}

int main(void)
{
    const double x[4] = {0.9, 1.1, 0.7, 1.3};
    double singles[4] = {0}, doubles[4] = {0}, more[4] = {0};
    __backsweep_gradient_void((void *)of_singles, x, singles);
    __backsweep_gradient_void((void *)of_doubles, x, doubles);
    __backsweep_gradient_void((void *)of_more_doubles, x, more);
    check("singles", of_singles, singles, 1e-3);
    check("doubles", of_doubles, doubles, 1e-6);
    check("more", of_more_doubles, more, 1e-6);
    return wrong;
}
