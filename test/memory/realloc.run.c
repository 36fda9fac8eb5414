/* `realloc` is allocating, copying and freeing: growing, shrinking, from null, and in a loop whose sizes are carried round. */
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

static double powers(double x, int n)
{
    double *a = malloc(sizeof *a);
    a[0] = x;
    for (int i = 1; i < n; i++) {
        a = realloc(a, (i + 1) * sizeof *a);
        a[i] = a[i - 1] * x;
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * a[n - 1 - i];
    free(a);
    return sum;
}

static double doubling(double x, int n)
{
    double *a = NULL;
    int room = 0;
    for (int i = 0; i < n; i++) {
        if (i == room) {
            room = room ? 2 * room : 1;
            a = realloc(a, room * sizeof *a);
        }
        a[i] = sin(x * i);
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i] * a[i];
    free(a);
    return sum;
}

static double shrunk(double x, int n)
{
    double *a = calloc(n, sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = x * x * i;
    a = realloc(a, 2 * sizeof *a);
    double y = a[0] + a[1] * a[1];
    free(a);
    return y;
}

static int failures;
static void check(const char *what, double (*f)(double, int), double slope, double x, int n)
{
    double h = 1e-6, wanted = (f(x + h, n) - f(x - h, n)) / (2 * h);
    if (!(fabs(slope - wanted) <= 1e-6 * (1 + fabs(wanted)))) {
        printf("%s: %.12g, expected %.12g\n", what, slope, wanted);
        failures++;
    }
}

int main(void)
{
    for (int n = 2; n < 12; n += 3) {
        check("powers", powers, __backsweep_gradient((void *)powers, 1.1, n), 1.1, n);
        check("doubling", doubling, __backsweep_gradient((void *)doubling, 0.7, n), 0.7, n);
        check("shrunk", shrunk, __backsweep_gradient((void *)shrunk, 1.3, n), 1.3, n);
        check("powers, forward", powers, __backsweep_tangent((void *)powers, 1.1, 1.0, n), 1.1, n);
    }
    return failures != 0;
}
