/* Ways to hand over shadows and tapes that other tools' users are used to: strided and interleaved shadows, a tape in the
 * caller's memory, a shadow of a function, hints on types. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}

#include "backsweep.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern int enzyme_dup, enzyme_const, enzyme_dupv, enzyme_interleave, enzyme_width, enzyme_allocated, enzyme_tape;

static int failures;
static void expect(const char *what, double found, double wanted)
{
    if (!(fabs(found - wanted) <= 1e-12 * (1 + fabs(wanted)))) {
        printf("%s: %.17g, expected %.17g\n", what, found, wanted);
        failures++;
    }
}

static void squares(const double *x, double *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = x[i] * x[i];
}

void __enzyme_fwddiff(void *, ...);
void __enzyme_autodiff_void(void *, ...);

static void strided(void)
{
    double x[3] = {1, 2, 3}, y[3], dx[2][4] = {{1, 0, 0}, {0, 1, 1}}, dy[2][3] = {{0}};
    __enzyme_fwddiff((void *)squares, enzyme_width, 2, enzyme_dupv, sizeof dx[0], x, dx, enzyme_dupv, sizeof dy[0], y, dy,
                     3);
    expect("forward, first direction", dy[0][0], 2);
    expect("forward, first direction, other element", dy[0][1], 0);
    expect("forward, second direction", dy[1][2], 6);

    double gx[2][4] = {{0}}, gy[2][3] = {{1, 0, 0}, {0, 0, 1}};
    __backsweep_gradient_void((void *)squares, bs_width, 2, bs_dup_strided, sizeof gx[0], x, gx, bs_dup_noneed_strided,
                              sizeof gy[0], y, gy, 3);
    expect("reverse, first direction", gx[0][0], 2);
    expect("reverse, second direction", gx[1][2], 6);
    expect("reverse, second direction, other element", gx[1][0], 0);
}

static double mixed(double x, double *y, double z, const double *w)
{
    *y += x * x * z * w[0];
    return x * z;
}
struct two {
    double x, z;
};
struct two __backsweep_gradient_two(void *, ...);
struct two __enzyme_autodiff_two(void *, ...);

static void interleaved(void)
{
    double y = 1, dy = 1, w = 2, dw = 0;
    struct two g = __backsweep_gradient_two((void *)mixed, 3.0, &y, 2.0, &w, bs_interleave, &dy, &dw);
    expect("value, then shadow: x", g.x, 2 + 2 * 3 * 2 * 2);
    expect("value, then shadow: z", g.z, 3 + 9 * 2);
    expect("value, then shadow: w", dw, 9 * 2);
    double again = 1;
    g = __enzyme_autodiff_two((void *)mixed, 3.0, enzyme_dup, &y, 2.0, enzyme_const, &w, enzyme_interleave, &again);
    expect("a constant has no shadow behind", g.x, 2 + 2 * 3 * 2 * 2);
}

static double consumed(double *x)
{
    double y = x[0] * x[0];
    x[0] = 7;
    return y * y;
}
size_t __enzyme_augmentsize(void *, ...);
double __enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
void __backsweep_augmented_void(void *, ...);
void __backsweep_reverse_void(void *, ...);

static void tapes_of_the_caller(void)
{
    size_t bytes = __enzyme_augmentsize((void *)consumed, enzyme_dup);
    void *tape = malloc(bytes);
    double x = 2, dx = 0;
    double y = __enzyme_augmentfwd((void *)consumed, enzyme_allocated, bytes, enzyme_tape, tape, enzyme_dup, &x, &dx);
    expect("the primal result stands alone", y, 16);
    __enzyme_reverse((void *)consumed, enzyme_allocated, bytes, enzyme_tape, tape, enzyme_dup, &x, &dx, 1.0);
    expect("tape in memory", dx, 4 * 8);
    free(tape);

    void *place;
    double z = 3, dz = 0;
    __backsweep_augmented_void((void *)consumed, bs_tape_at, &place, &z, &dz);
    __backsweep_reverse_void((void *)consumed, bs_tape_at, &place, &z, &dz, 2.0);
    expect("tape in memory, in our words", dz, 2 * 4 * 27);
}

struct operation {
    double (*apply)(const double *);
    double factor;
};
static double square(const double *x) { return x[0] * x[0]; }
static double cube(const double *x) { return x[0] * x[0] * x[0]; }
static double run(const struct operation *operation, const double *x)
{
    return operation->apply(x) * operation->factor;
}
void *__enzyme_virtualreverse(void *);

static void shadows_of_functions(int which)
{
    struct operation operation = {which ? cube : square, 2}, shadow = {0, 0};
    shadow.apply = (double (*)(const double *))__enzyme_virtualreverse((void *)square);
    double x = 3, dx = 0;
    __backsweep_gradient_void((void *)run, &operation, &shadow, &x, &dx);
    expect("through a table", dx, which ? 2 * 27 : 12);
    expect("beside a function", shadow.factor, which ? 27 : 9);
}

void __enzyme_double(void *, ...);
static double hinted(void *p)
{
    __enzyme_double(p, sizeof(double));
    double x;
    memcpy(&x, p, sizeof x);
    return x * x;
}

int main(int count, char **arguments)
{
    (void)arguments;
    strided();
    interleaved();
    tapes_of_the_caller();
    shadows_of_functions(count > 1);
    shadows_of_functions(1);
    double x = 5, dx = 0;
    __backsweep_gradient_void((void *)hinted, &x, &dx);
    expect("hint", dx, 10);
    return failures != 0;
}
