/* Who writes and reads the memory is chosen at run time: one keeps numbers there, as it is stepped through where it is copied, another
 * pointers to numbers. An address that is moved as a number comes without its shadow. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t2.o %clang -g -O2 %include %pass -c %s > %t2.text
// RUN: FileCheck %s < %t2.text
#include "backsweep.h"
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
        // CHECK: pointers_by_chosen_writers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep:{{.*}}copies active memory{{.*}}[BS023]
        memcpy(b, a, n * sizeof *a);
        sum += formats[at].read(b, n) + 0.5 * formats[at].read(a, n);
        if (at == 0)
            sum += b[1] * a[2];
        free(a);
        free(b);
    }
    return sum;
}

void gradient(const double *x, double *dx, int n)
{
    __backsweep_gradient_void((void *)f, x, dx, n);
}
