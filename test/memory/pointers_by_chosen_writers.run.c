/* Who writes and reads the memory is chosen at run time: one keeps numbers there, as it is stepped through where it is copied, another
 * pointers to numbers. An address that is moved as a number would come without its shadow: in memory of the program's own the shadow
 * tells which it is. */
// RUN: %clang -O0 %include %pass %s -o %t %runtime -lm && %t
// RUN: %clang -O2 %include %pass %s -o %t %runtime -lm && %t
// RUN: %clang -O2 -fsanitize=address,undefined -fno-sanitize-recover=all %include %pass %s -o %t %runtime -lm && %t
#include "backsweep.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct format {
    void (*write)(double *, const double *, int);
    double (*read)(const double *, int);
};

static void write_numbers(double *b, const double *x, int n)
{
    for (int i = 0; i < n; i++)
        b[i] = x[i] * x[0];
}

static double read_numbers(const double *b, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += b[i] * b[i];
    return sum;
}

/* Stays a call, since it calls itself. */
static void write_places(double *b, const double *x, int n)
{
    const double **places = (const double **)b;
    if (n > 4)
        write_places(b, x, n - 1);
    for (int i = 0; i < n; i++)
        places[i] = &x[n - 1 - i];
}

static double read_places(const double *b, int n)
{
    const double *const *places = (const double *const *)b;
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += *places[i] * *places[i] * (i + 1);
    return sum;
}

static const struct format formats[] = {{write_numbers, read_numbers}, {write_places, read_places}};

static double f(const double *x, int n)
{
    double sum = 0;
    for (int at = 0; at < 2; at++) {
        double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
        formats[at].write(a, x, n);
        memcpy(b, a, n * sizeof *a);
        sum += formats[at].read(b, n) + 0.5 * formats[at].read(a, n);
        if (at == 0)
            sum += b[1] * a[2];
        free(a);
        free(b);
    }
    return sum;
}

int main(void)
{
    double x[5] = {0.9, 1.1, 0.7, 1.3, 0.8}, gradient[5] = {0};
    int wrong = 0;
    __backsweep_gradient_void((void *)f, x, gradient, 5);
    for (int i = 0; i < 5; i++) {
        const double h = 1e-6, held = x[i];
        double dx[5] = {i == 0, i == 1, i == 2, i == 3, i == 4};
        double forward = __backsweep_tangent((void *)f, x, dx, 5);
        x[i] = held + h;
        double up = f(x, 5);
        x[i] = held - h;
        double difference = (up - f(x, 5)) / (2 * h);
        x[i] = held;
        if (!(fabs(gradient[i] - difference) < 1e-7 * (1 + fabs(difference))) || !(fabs(gradient[i] - forward) < 1e-11 * (1 + fabs(difference)))) {
            printf("%d: %.12g backward, %.12g forward, %.12g by differences\n", i, gradient[i], forward, difference);
            wrong = 1;
        }
    }
    return wrong;
}
