/* A function that a hook hands to the function asked for may be what a pointer leads to there, though nobody else takes its address. */
// RUN: %clang -O0 -g %pass %s -o %t %runtime && %t
// RUN: %clang -O3 %pass %s -o %t %runtime && %t
// RUN: %clang -O2 -S -emit-llvm %s -o %t.ll && %opt -passes=backsweep %t.ll -o %t.bc && %clang %t.bc -o %t %runtime && %t
#include <math.h>

extern int enzyme_const, enzyme_dup;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double square(double x) { return x * x; }
static double times(double (*f)(double), double x) { return f(x) * x; }
static double composed(double (*f)(double), double (*g)(double), double x) { return f(g(x)); }
static double or_itself(double (*f)(double), double x) { return f ? f(x) : 3 * x; }
static void turned(const double *at, double *rate, double k) { rate[0] = at[1], rate[1] = -k * at[0]; }

static double steps(void (*rates)(const double *, double *, double), double *at, double k, int n)
{
    double rate[2];
    for (int i = 0; i < n; i++) {
        rates(at, rate, k);
        at[0] += 0.1 * rate[0];
        at[1] += 0.1 * rate[1];
    }
    return at[0];
}

static double steps_at(double k)
{
    double at[2] = {1, 0};
    return steps(turned, at, k, 5);
}

static int differ(double found, double expected) { return !(fabs(found - expected) <= 1e-8 * (1 + fabs(expected))); }

int main(int count, char **arguments)
{
    if (differ(__enzyme_autodiff((void *)times, enzyme_const, square, 3.0), 27)) return 1;
    if (differ(__enzyme_autodiff((void *)times, enzyme_const, sin, 3.0), sin(3) + 3 * cos(3))) return 2;
    if (differ(__enzyme_autodiff((void *)times, square, square, 3.0), 27)) return 3;
    if (differ(__enzyme_autodiff((void *)composed, enzyme_const, sin, enzyme_const, square, 1.2), cos(1.44) * 2.4)) return 4;
    if (differ(__enzyme_fwddiff((void *)composed, enzyme_const, sin, enzyme_const, square, 1.2, 1.0), cos(1.44) * 2.4)) return 5;
    if (differ(__enzyme_autodiff((void *)or_itself, enzyme_const, (void *)0, 3.0), 3)) return 6;
    if (differ(__enzyme_autodiff((void *)or_itself, enzyme_const, count > 1 ? exp : square, 3.0), 6)) return 7;
    double at[2] = {1, 0}, d_at[2] = {0, 0};
    double slope = __enzyme_autodiff((void *)steps, enzyme_const, turned, enzyme_dup, at, d_at, 2.0, 5);
    if (differ(slope, (steps_at(2 + 1e-5) - steps_at(2 - 1e-5)) / 2e-5)) return 8;
    return 0;
}
