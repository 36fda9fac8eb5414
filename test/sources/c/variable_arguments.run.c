// RUN: %levels %s double 0.8 1.3 -0.4 2.1
// Functions with a variable number of arguments: in registers and beyond them, structs, lists handed on and copied, recursion.
#include "source.h"
#include <math.h>
#include <stdarg.h>

typedef struct { double a, b; } Pair;
typedef struct { double a, b, c; int k; } Large;
typedef struct { double a; long k; } Mixed;

static double weighted(int count, ...) {
    va_list list, again;
    va_start(list, count);
    va_copy(again, list);
    double total = 0;
    for (int i = 0; i < count; i++) {
        int weight = va_arg(list, int);
        total += weight * sin(va_arg(list, double));
    }
    double spread = 0;
    for (int i = 0; i < count; i++) {
        (void)va_arg(again, int);
        double off = va_arg(again, double) - total;
        spread += off * off;
    }
    va_end(again);
    va_end(list);
    return total + spread;
}
static double from_list(int n, va_list list) {
    double s = 0;
    for (int i = 0; i < n; i++)
        s = s * 0.5 + va_arg(list, double) * va_arg(list, double);
    return s;
}
__attribute__((noinline)) static double hands_on(double scale, int n, ...) {
    va_list list;
    va_start(list, n);
    double s = from_list(n, list) * scale;
    va_end(list);
    return s;
}
static double structs(int n, ...) {
    va_list list;
    va_start(list, n);
    Pair p = va_arg(list, Pair);
    Large b = va_arg(list, Large);
    Mixed m = va_arg(list, Mixed);
    long double l = va_arg(list, long double);
    double *q = va_arg(list, double *);
    double s = p.a * p.b + b.a * b.b * b.c * b.k + m.a * m.k + (double)l * q[0] * q[1];
    for (int i = 0; i < n; i++)
        s += va_arg(list, double) * q[i % 4];
    va_end(list);
    q[0] = s;
    return s;
}
static double down(int depth, ...) {
    va_list list;
    va_start(list, depth);
    double x = va_arg(list, double), y = va_arg(list, double);
    va_end(list);
    return depth == 0 ? x * y : down(depth - 1, x * y, sin(x + y)) + x;
}
static double f(const double *x, int n) {
    double s = weighted(3, 1, x[0], 2, x[1], 4, x[2] * x[3]) * weighted(2, 3, x[3], 5, x[0] * x[0]);
    for (int i = 0; i < n; i++)
        s += hands_on(x[i], 2, x[i], x[0], x[1], x[2] * x[0]);
    Pair p = {x[0], x[1]};
    Large b = {x[1], x[2], x[3], 3};
    Mixed m = {x[3] * x[3], 5};
    double q[4] = {x[0], x[1], x[2] * x[0], x[3]};
    s += structs(9, p, b, m, (long double)x[2] * x[2], q, x[0], x[1], x[2], x[3], x[0] * x[1], x[0] * x[2], x[3], x[2], x[1]);
    return s + q[0] * q[0] + down(3, x[0], x[1]) + down(2, x[2], x[3]);
}
REQUESTS(f)
