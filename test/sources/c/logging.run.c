/* A function of any number of arguments that only prints them, called with what is differentiated. */
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#include "source.h"
#include <stdarg.h>
#include <stdio.h>

static int verbose;

static void report(const char *format, ...)
{
    if (!verbose)
        return;
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
}

static double f(const double *x, int n)
{
    double sum = 1;
    for (int i = 0; i < n; i++) {
        sum = sum * 0.5 + x[i] * x[i];
        report("%d %g of %p\n", i, sum, (const void *)x);
    }
    return sum;
}

REQUESTS(f)
