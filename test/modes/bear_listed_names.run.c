/* A program's own functions, whose names are those of library functions without a derivative: a body in sight counts for more than a name. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang -fno-builtin %{level} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// RUN: %clang -fno-builtin -O1 -c -emit-llvm %include %s -o %t.bc
// RUN: %opt -passes=backsweep %t.bc -o %t.made.bc
// RUN: %clang -O1 -fPIC -c %t.made.bc -o %t.o && %clang %t.o -o %t %runtime && %t
#include <backsweep.h>

int printf(const char *, ...);

static double signal(double t) { return t * t * t; }

double access(const double *x, int at) { return 2 * x[at] * x[0]; }

__attribute__((noinline)) static void write(double *y, const double *x, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[n - 1 - i];
}

static double random(double x, int depth) { return depth > 0 ? random(0.5 * x * x, depth - 1) : x; }

static double time(double x, double rate) { return x / rate; }

static double f(const double *x, int n)
{
    double y[8], sum = 0;
    write(y, x, n);
    for (int i = 0; i < n; i++)
        sum += signal(x[i]) + access(x, i) + random(x[i], 3) + time(y[i], x[0]) * (i + 1);
    return sum;
}

int main(void)
{
    double x[4] = {1.3, 0.7, 1.9, 1.1}, v[4] = {1, -0.5, 0.25, 2}, dx[4] = {0}, along = 0;
    __backsweep_gradient_void((void *)f, x, dx, 4);
    double tangent = __backsweep_tangent((void *)f, x, v, 4);
    int failed = 0;
    for (int i = 0; i < 4; i++) {
        double at = x[i], h = 1e-6;
        x[i] = at + h;
        double up = f(x, 4);
        x[i] = at - h;
        double slope = (up - f(x, 4)) / (2 * h), off = slope - dx[i];
        x[i] = at;
        if (!(off < 1e-7 && off > -1e-7)) {
            printf("x[%d]: %.12g, differences say %.12g\n", i, dx[i], slope);
            failed = 1;
        }
        along += dx[i] * v[i];
    }
    double off = along - tangent;
    return failed || !(off < 1e-11 && off > -1e-11);
}
