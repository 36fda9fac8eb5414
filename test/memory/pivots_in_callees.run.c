/* Pivots that a factorisation by blocks, which calls itself, notes behind a pointer, and a count of them in a variable of its own that
 * it lends to itself: integers, however active the matrix beside them is. The caller copies them as bytes, and memory that the
 * factorisation frees is its own. */
// RUN: %clang -O0 -g %include %pass %s -o %t %runtime -lm && %t
// RUN: %clang -O2 -g %include %pass %s -o %t %runtime -lm && %t
// RUN: %clang -O1 -fsanitize=address -g %include %pass %s -o %t %runtime -lm && %t
#include "backsweep.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void factorise(double *a, int rows, int columns, int stride, int *pivots, int *exchanged)
{
    *exchanged = 0;
    if (columns == 1) {
        int best = 0;
        for (int i = 1; i < rows; i++)
            if (fabs(a[i * stride]) > fabs(a[best * stride]))
                best = i;
        pivots[0] = best;
        *exchanged = best != 0;
        double kept = a[0];
        a[0] = a[best * stride];
        a[best * stride] = kept;
        for (int i = 1; i < rows; i++)
            a[i * stride] /= a[0];
        return;
    }
    int half = columns / 2, first, second;
    factorise(a, rows, half, stride, pivots, &first);
    double *row = malloc(columns * sizeof *row);
    for (int j = 0; j < half; j++)
        for (int k = half; k < columns; k++) {
            row[k] = a[j * stride + k];
            a[j * stride + k] = a[pivots[j] * stride + k];
            a[pivots[j] * stride + k] = row[k];
        }
    free(row);
    for (int j = 0; j < half; j++)
        for (int i = j + 1; i < rows; i++)
            for (int k = half; k < columns; k++)
                a[i * stride + k] -= a[i * stride + j] * a[j * stride + k];
    factorise(a + half * stride + half, rows - half, columns - half, stride, pivots + half, &second);
    for (int j = half; j < columns; j++) {
        pivots[j] += half;
        for (int k = 0; k < half; k++) {
            double kept = a[j * stride + k];
            a[j * stride + k] = a[pivots[j] * stride + k];
            a[pivots[j] * stride + k] = kept;
        }
    }
    *exchanged = first + second;
}

struct factors {
    double *numbers;
    int *pivots, exchanged;
};

static double f(const double *x, int n)
{
    struct factors own = {malloc(n * n * sizeof(double)), malloc(n * sizeof(int)), 0};
    for (int i = 0; i < n * n; i++)
        own.numbers[i] = sin(x[i % n] * (i + 1)) + (i % (n + 1) == n) * 2;
    factorise(own.numbers, n, n, n, own.pivots, &own.exchanged);
    int *copied = malloc(n * sizeof(int));
    memcpy(copied, own.pivots, n * sizeof(int));
    double b[8], sum = own.exchanged % 2 ? -1 : 1;
    for (int i = 0; i < n; i++)
        b[i] = x[i] * x[i];
    for (int i = 0; i < n; i++) {
        double kept = b[i];
        b[i] = b[copied[i]];
        b[copied[i]] = kept;
        sum *= own.numbers[i * n + i];
    }
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            b[i] -= own.numbers[i * n + k] * b[k];
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++)
            b[i] -= own.numbers[i * n + k] * b[k];
        b[i] /= own.numbers[i * n + i];
        sum += b[i] * b[i];
    }
    free(copied);
    free(own.numbers);
    free(own.pivots);
    return sum;
}

static void gradient(const double *x, double *dx, int n)
{
    __backsweep_gradient_void((void *)f, x, dx, n);
}

static double slope(const double *x, const double *dx, int n)
{
    return __backsweep_tangent((void *)f, x, dx, n);
}

int main(void)
{
    int failures = 0;
    for (int n = 1; n <= 6; n++) {
        double x[6], dx[6] = {0};
        for (int i = 0; i < n; i++)
            x[i] = 0.7 + 0.13 * i;
        gradient(x, dx, n);
        for (int i = 0; i < n; i++) {
            double kept = x[i], step = 1e-6, seed[6] = {0};
            x[i] = kept + step;
            double above = f(x, n);
            x[i] = kept - step;
            double below = f(x, n);
            x[i] = kept;
            seed[i] = 1;
            double expected = (above - below) / (2 * step), forward = slope(x, seed, n);
            if (fabs(dx[i] - expected) > 1e-5 * (1 + fabs(expected)) || fabs(dx[i] - forward) > 1e-10 * (1 + fabs(forward)))
                failures += printf("n=%d i=%d: %g, expected %g, forward %g\n", n, i, dx[i], expected, forward) > 0;
        }
    }
    return failures != 0;
}
