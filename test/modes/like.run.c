/* Functions that behave like one whose derivative is known: their values are their own, their slopes those of the other. */
// RUN: %clang -O0 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O2 %include %pass %s -o %t %runtime && %t
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

static int calls;

/* By a list in each spelling, by annotation, and one without a body here. */
static double my_log1p(double x) { calls++; return 2 * x; }
void *__enzyme_function_like_log1p[] = {(void *)my_log1p, (void *)"log1p"};
static double my_exp(double x) { calls++; return 3 * x; }
void *__backsweep_function_like_exp[] = {(void *)my_exp, (void *)"exp"};
__attribute__((annotate("enzyme_function_like=sin"))) static double my_sin(double x) { calls++; return x * x; }
__attribute__((annotate("backsweep_function_like=hypot"))) double far_norm(double x, double y);

static double f(double x) { return my_log1p(x) * my_exp(x) + my_sin(x); }
static double g(double x, double y) { return far_norm(x, y) * x; }

static int near(double a, double b, const char *what) {
    if (fabs(a - b) <= 1e-13 * (1 + fabs(b))) return 1;
    printf("%s: %.15g but %.15g\n", what, a, b);
    return 0;
}

int main(void) {
    double x = 0.7;
    /* log1p' = 1 / (1 + x); exp' is the value itself, which is 3 x here; sin' = cos x. */
    double expected = 1 / (1 + x) * 3 * x + 2 * x * 3 * x + cos(x);
    int ok = near(__backsweep_gradient((void *)f, x), expected, "f");
    ok &= near(__backsweep_tangent((void *)f, x, 1.0), expected, "f, forward");
    ok &= near(__backsweep_gradient((void *)my_log1p, x), 1 / (1 + x), "by itself");
    struct pair { double x, y; };
    extern struct pair __backsweep_gradient_pair(void *, ...);
    struct pair d = __backsweep_gradient_pair((void *)g, 3.0, 4.0);
    /* hypot' = (x, y) over the value, which is 5 here. */
    ok &= near(d.x, 3.0 / 5 * 3 + 5, "norm x") & near(d.y, 4.0 / 5 * 3, "norm y");
    ok &= near(calls, 7, "calls of the functions themselves");
    puts(ok ? "all right" : "WRONG");
    return !ok;
}
double far_norm(double x, double y) { return 5; }
