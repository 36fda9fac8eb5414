// A hook whose result nobody reads: declared void, or of another shape than what there is, or kept in a variable in vain.
// RUN: %clang -O0 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O2 %include %pass %s -o %t %runtime && %t
#include "backsweep.h"

static double weighted(double *x, double a, double b) { return a * x[0] * x[0] + b * x[1]; }
static void square(double *x) { *x *= *x; }

void __enzyme_autodiff(void *, ...);
double __enzyme_autodiff_double(void *, ...);
void __enzyme_fwddiff(void *, ...);

int main(void)
{
    double x[2] = {3, 5}, dx[2] = {0, 0};
    __enzyme_autodiff((void *)weighted, x, dx, 2.0, 7.0);
    if (dx[0] != 12 || dx[1] != 7)
        return 1;
    __enzyme_autodiff_double((void *)weighted, x, dx, 2.0, 7.0);
    if (dx[0] != 24 || dx[1] != 14)
        return 2;
    double y = 3, dy = 1;
    double unread = __enzyme_autodiff_double((void *)square, &y, &dy);
    if (y != 9 || dy != 6)
        return 3;
    __enzyme_fwddiff((void *)weighted, x, dx, 2.0, 1.0, 7.0, 1.0);
    return 0;
}
