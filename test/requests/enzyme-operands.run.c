/* Enzyme's less common operands: values behind pointers, words in any order, the shadow of a result that is returned in memory, a tape
   that is none. */
// RUN: %clang -O0 -g %pass %s -o %t %runtime && %t
// RUN: %clang -O3 %pass %s -o %t %runtime && %t
#include <math.h>
#include <stddef.h>

int enzyme_dup, enzyme_const, enzyme_out, enzyme_tape, enzyme_byref, enzyme_not_overwritten, enzyme_nofree;
double __enzyme_fwddiff(void *, ...);
double __enzyme_fwdsplit(void *, ...);
double __enzyme_autodiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);

static double product(double x, double y) { return x * y; }
struct three { double a, b, c; };
static struct three powers(double *x) { return (struct three){*x, *x * *x, *x * *x * *x}; }
static double first(double *x) { return x[0] * x[1]; }

int main(void)
{
    double x = 2, dx = 1, y = 5;
    if (__enzyme_fwddiff((void *)product, enzyme_byref, sizeof(double), enzyme_dup, &x, &dx, enzyme_const, 5.0) != 5) return 1;
    if (__enzyme_fwddiff((void *)product, enzyme_dup, enzyme_byref, sizeof(double), &x, &dx, enzyme_byref, sizeof(double), enzyme_const, &y) != 5) return 2;
    if (__enzyme_autodiff((void *)product, enzyme_byref, sizeof(double), enzyme_out, &x, enzyme_const, y) != 5) return 3;

    double v[2] = {3, 4}, dv[2] = {0, 0};
    __enzyme_autodiff_void((void *)first, enzyme_dup, enzyme_not_overwritten, v, dv);
    if (dv[0] != 4 || dv[1] != 3) return 4;

    struct three seed = {1, 10, 100};
    double slope = 0;
    __enzyme_autodiff_void((void *)powers, &seed, enzyme_dup, &x, &slope);
    if (slope != 1 + 10 * 4 + 100 * 12) return 5;
    if (seed.a != 0 || seed.b != 0 || seed.c != 0) return 6;

    void *tape;
    /* With the tape put away nobody asks what else there is, whatever the hook is declared to return. */
    __enzyme_augmentfwd((void *)product, enzyme_tape, &tape, x, enzyme_const, y);
    if (__enzyme_reverse((void *)product, enzyme_tape, &tape, x, enzyme_const, y, 2.0) != 10) return 8;

    return __enzyme_fwdsplit((void *)product, enzyme_nofree, x, 1.0, enzyme_const, y, NULL) == 5 ? 0 : 7;
}
