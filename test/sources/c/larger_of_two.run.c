// RUN: %levels %s double 0.53 1.37 0.21 0.83
// A function that is handed on by its name and chooses between memory that is active and a constant: as libraries of vectors hand on their
// larger-of-two.
#include "source.h"

typedef double chosen(const double *, const double *);

static double larger(const double *a, const double *b) { return *(*a < *b ? b : a); }

static double smaller(const double *a, const double *b) { return *(*b < *a ? b : a); }

static double handed(chosen *g, const double *a, const double *b) { return g(a, b); }

static double f(const double *x, int n)
{
    double sum = 0;
    chosen *first = larger;
    for (int i = 0; i < n; i++) {
        double a = x[i], half = 0.5;
        sum += handed(larger, &a, &half) * (i + 1);
        double squared = a * a, one = 1;
        sum += handed(smaller, &squared, &one) + first(&squared, &half);
    }
    return sum;
}

REQUESTS(f)
