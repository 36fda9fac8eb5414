/* Structs and complex numbers by value travel in several registers: their shadows come behind them as a whole, as they are written. */
// RUN: %clang -O0 -g %pass %s -o %t %runtime && %t
// RUN: %clang -O2 %pass %s -o %t %runtime && %t
// RUN: %clang -O3 -ffast-math %pass %s -o %t %runtime && %t
#include <complex.h>
#include <math.h>

typedef double complex number;
struct pair { double a, b; };
struct counted { double a; long n; };
struct view { double *at; long n; };
struct pairs { struct pair one, two; };
struct value_and { struct pair value, slope; };

extern int enzyme_const, enzyme_dup, enzyme_out, enzyme_width, enzyme_primal_return;
double __enzyme_fwddiff(void *, ...);
number __enzyme_fwddiff_number(void *, ...);
struct pair __enzyme_fwddiff_pair(void *, ...);
struct pairs __enzyme_fwddiff_pairs(void *, ...);
struct value_and __enzyme_fwddiff_value(void *, ...);
double __enzyme_autodiff(void *, ...);
struct pair __enzyme_autodiff_pair(void *, ...);
number __enzyme_autodiff_number(void *, ...);

static number square(number z) { return z * z + conj(z); }
static double length(number z) { return creal(z) * creal(z) + cimag(z) * cimag(z); }
static double product(double s, struct pair p) { return s * p.a * p.a * p.b; }
static struct pair turn(struct pair p, double t) { return (struct pair){p.a * t - p.b, p.b * t + p.a}; }
static double times(struct counted c, double x) { return c.a * c.n * x; }
static double sum(struct view v)
{
    double s = 0;
    for (long i = 0; i < v.n; i++) s += v.at[i] * v.at[i];
    return s;
}
/* Parameters of the same types that are no struct. */
static double apart(double x, double y) { return x * x * y; }

static int differ(double found, double expected) { return !(fabs(found - expected) <= 1e-9 * (1 + fabs(expected))); }
static int differ2(struct pair found, double a, double b) { return differ(found.a, a) || differ(found.b, b); }

int main(void)
{
    number z = 2 + 3 * I, one = 1, slope = __enzyme_fwddiff_number((void *)square, z, one);
    if (differ(creal(slope), 5) || differ(cimag(slope), 6)) return 1;
    slope = __enzyme_fwddiff_number((void *)square, enzyme_dup, z, (number)I);
    if (differ(creal(slope), -6) || differ(cimag(slope), 3)) return 2;
    slope = __enzyme_autodiff_number((void *)length, z);
    if (differ(creal(slope), 4) || differ(cimag(slope), 6)) return 3;

    struct pair p = {2, 3}, d = {1, 0}, e = {0, 1};
    if (differ(__enzyme_fwddiff((void *)product, 5.0, 0.0, p, d), 60)) return 4;
    if (differ(__enzyme_fwddiff((void *)product, 5.0, 1.0, enzyme_const, p), 12)) return 5;
    if (differ(__enzyme_fwddiff((void *)product, enzyme_const, 5.0, enzyme_dup, p, e), 20)) return 6;
    if (differ2(__enzyme_fwddiff_pair((void *)turn, p, d, enzyme_const, 7.0), 7, 1)) return 7;
    struct pairs both = __enzyme_fwddiff_pairs((void *)turn, enzyme_width, 2, p, d, e, enzyme_const, 7.0);
    if (differ2(both.one, 7, 1) || differ2(both.two, -1, 7)) return 8;
    struct value_and v = __enzyme_fwddiff_value((void *)turn, enzyme_primal_return, p, d, 7.0, 1.0);
    if (differ2(v.value, 11, 23) || differ2(v.slope, 9, 4)) return 9;

    if (differ(__enzyme_autodiff((void *)product, 5.0, enzyme_const, p), 12)) return 10;
    if (differ2(__enzyme_autodiff_pair((void *)product, enzyme_const, 5.0, enzyme_out, p), 60, 20)) return 11;

    struct counted c = {2, 3}, d_c = {1, 0};
    if (differ(__enzyme_fwddiff((void *)times, c, d_c, enzyme_const, 5.0), 15)) return 12;
    if (differ(__enzyme_autodiff((void *)times, enzyme_const, c, 5.0), 6)) return 13;

    double at[2] = {2, 3}, d_at[2] = {0, 0};
    struct view view = {at, 2}, d_view = {d_at, 2};
    __enzyme_autodiff((void *)sum, view, d_view);
    if (differ(d_at[0], 4) || differ(d_at[1], 6)) return 14;
    d_at[0] = 1, d_at[1] = 0;
    if (differ(__enzyme_fwddiff((void *)sum, enzyme_dup, view, d_view), 4)) return 15;

    /* The function is in a variable, which is opened first. */
    double (*pointer)(double, struct pair) = product;
    if (differ(__enzyme_fwddiff((void *)pointer, 5.0, 0.0, p, e), 20)) return 16;
    if (differ(__enzyme_fwddiff((void *)apart, p.a, p.b, d.a, d.b), 3 * 4 * 1)) return 17;
    return 0;
}
