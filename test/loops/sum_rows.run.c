/* Sums into several rows at once, whose distance is known only when the program runs: far apart, next to each other, overlapping, and all in one
 * place. Rows are compared in front of the loop, and where they meet nothing is told of them. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime -lm && %t.O3
// RUN: %clang -O3 -mavx2 %pass %include %s -o %t.avx %runtime -lm && %t.avx
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

#define WIDE 40
#define ROWS 5
#define MOST (WIDE * (ROWS + 2))

/* Five points, and products of neighbours, so that each row's sums differ. */
static double stencil(const double *u, const double *v, long row, long wide)
{
    double all = 0;
    for (long j = 1; j <= ROWS; j++) {
        const double *here = u + j * row, *other = v + (ROWS + 1 - j) * row;
        double sum = 0;
        for (long i = 1; i < wide - 1; i++)
            sum += here[i] * (here[i - row] + 0.5 * here[i + row]) + here[i - 1] * here[i + 1] * other[i] +
                   other[i - row] * other[i + row];
        all += sum * sum;
    }
    return all;
}

/* The same with the results in memory, in the other direction, and with both arrays in one. */
static double backwards(const double *u, const double *v, long row, long wide)
{
    double out[WIDE] = {0};
    for (long j = ROWS; j >= 1; j--)
        for (long i = wide - 2; i >= 1; i--)
            out[i] = 0.5 * out[i] + u[j * row + i] * v[(j - 1) * row + i] + u[(j + 1) * row + i] * u[(j - 1) * row + i + 1];
    double all = 0;
    for (long i = 0; i < wide; i++)
        all += out[i] * out[i];
    return all;
}

static void fill(double *x)
{
    for (int i = 0; i < 2 * MOST; i++)
        x[i] = 0.7 * sin(1 + 7.0 * i);
}

typedef double kernel(const double *, const double *, long, long);

static int check(const char *name, kernel *f, long row, long wide, long apart)
{
    double x[2 * MOST], dx[2 * MOST] = {0};
    int right = 1;
    fill(x);
    if (f == stencil)
        __backsweep_gradient((void *)stencil, bs_dup, x, dx, bs_dup, x + apart, dx + apart, row, wide);
    else
        __backsweep_gradient((void *)backwards, bs_dup, x, dx, bs_dup, x + apart, dx + apart, row, wide);
    for (int i = 0; i < 2 * MOST; i++) {
        const double at = x[i], h = 1e-6;
        x[i] = at + h;
        double above = f(x, x + apart, row, wide);
        x[i] = at - h;
        double difference = (above - f(x, x + apart, row, wide)) / (2 * h);
        x[i] = at;
        if (!(fabs(difference - dx[i]) <= 1e-6 * (1 + fabs(difference)))) {
            printf("%s, rows of %ld at %ld, by number %d: %.10g, by differences %.10g\n", name, wide, row, i, dx[i], difference);
            right = 0;
        }
    }
    return right;
}

int main(void)
{
    /* Volatile, so that nobody knows them beforehand. */
    volatile long rows[] = {WIDE, WIDE - 1, WIDE - 2, 17, 3, 2, 1, 0}, wides[] = {WIDE, 9, 3}, aparts[] = {MOST, 2, 0};
    int right = 1;
    for (int row = 0; row < 8; row++)
        for (int wide = 0; wide < 3; wide++)
            for (int apart = 0; apart < 3; apart++) {
                right &= check("stencil", stencil, rows[row], wides[wide], aparts[apart]);
                right &= check("backwards", backwards, rows[row], wides[wide], aparts[apart]);
            }
    return !right;
}
