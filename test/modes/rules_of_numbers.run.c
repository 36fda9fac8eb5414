/* A forward rule of numbers serves several directions at once: it is called once for each. */
// RUN: %clang -O0 -g %pass %s -o %t %runtime && %t
// RUN: %clang -O3 %pass %s -o %t %runtime && %t
#include <math.h>

int enzyme_width, enzyme_dup, enzyme_const, enzyme_primal_return;
struct three { double a, b, c; };
struct three __enzyme_fwddiff(void *, ...);
struct with_primal { double value; double slopes[3]; };
struct with_primal __enzyme_fwddiff_primal(void *, ...);

static double product(double x, int n, double y) { return n * x * y; }
struct both { double value, slope; };
/* Ten times what it would be by itself, so that it shows who was asked. */
static struct both product_along(double x, double dx, int n, double y, double dy)
{
    return (struct both){n * x * y, 10 * n * (dx * y + x * dy)};
}
void *__enzyme_register_derivative_product[] = {(void *)product, (void *)product_along};

static double f(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i + 1 < n; i++)
        sum += product(x[i], i + 1, x[i + 1]) * x[0];
    return sum;
}

static int far(double a, double b) { return !(fabs(a - b) < 1e-12); }

int main(void)
{
    double x[3] = {2, 3, 5}, a[3] = {1, 0, 0}, b[3] = {0, 1, 0}, c[3] = {0, 0, 2};
    struct three d = __enzyme_fwddiff((void *)f, enzyme_width, 3, enzyme_dup, x, a, b, c, enzyme_const, 3);
    if (far(d.a, 10 * 3 * 2 + 6 + 30) || far(d.b, (10 * 2 + 20 * 5) * 2) || far(d.c, 20 * 3 * 2 * 2)) return 1;
    struct with_primal p =
        __enzyme_fwddiff_primal((void *)f, enzyme_primal_return, enzyme_width, 3, enzyme_dup, x, a, b, c, enzyme_const, 3);
    return far(p.value, 72) || far(p.slopes[0], d.a) || far(p.slopes[2], d.c) ? 2 : 0;
}
