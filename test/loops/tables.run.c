/* What an inner loop computes anew in each pass of the loop around it, though nothing changes it there, is computed in front of that
 * loop, if that runs at all; and not where somebody may write what it is computed from, or where it is not computed in each pass. */
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
// RUN: env BACKSWEEP_OPTIONS=disable=tables %levels %s double 0.8 1.3 -0.4 2.1
#include "source.h"
#include <math.h>

#define COMPONENTS 2
#define DIMENSIONS 3

static const double points[5][DIMENSIONS] = {{0.3, -0.2, 0.9}, {1.1, 0.4, -0.7}, {-0.5, 0.8, 0.1}, {0.6, -1.2, 0.2}, {0, 0.3, 0.4}};

/* A table of both counters inside; the loop around it may not run at all, and then `x` is not read. */
static double mixture(const double *x, int count)
{
    double sum = 0;
    for (int p = 0; p < count; p++)
        for (int k = 0; k < COMPONENTS; k++)
            for (int d = 0; d < DIMENSIONS; d++)
                sum += exp(0.3 * x[(k + d) % 4]) * (points[p][d] - x[k]) + pow(x[3], 1.5) * points[p][d];
    return sum;
}

/* Counters that go back, by two, from where the loop around them is, and of 32 bits where they may wrap. */
static double walks(const double *x, int n)
{
    double sum = 0;
    for (unsigned char turn = 250; turn < 254; turn++)
        for (int j = 2; j >= 0; j--)
            for (int k = j; k < j + 2; k++)
                sum += sin(x[k] * j) * turn * 0.01;
    for (int i = 0; i < n; i++)
        for (unsigned j = 4294967295u; j != 2; j++)
            sum += log(2 + x[j + 1] * x[(i + 1) % 4]) + log(2 + x[j + 1] * x[j + 1]) * i;
    return sum;
}

/* Where results lie on what is read, each pass reads something else. */
static void in_place(const double *in, double *out, int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++)
            out[j] += 0.1 * exp(in[j]) * (i + 1);
}

/* What is not computed in every pass: behind a condition, behind the way out, and in a loop that is left in the middle. */
static double sometimes(const double *x, int n)
{
    const double *missing = 0;
    double sum = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++) {
            if (i > n)
                sum += exp(missing[j]);
            if (i == 2 && j == 1)
                break;
            sum += cos(x[j]) * i;
        }
    for (int i = 0; i < n; i++) {
        if (i == 1)
            break;
        for (int j = 0; j < 2; j++)
            sum += exp(-x[j]);
    }
    return sum;
}

/* The table is filled anew in each step. */
static double steps(const double *x)
{
    double state[3] = {x[0], x[1], x[2]}, sum = 0;
    for (int t = 0; t < 3; t++) {
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 3; j++)
                sum += 0.1 * exp(-state[j]) * x[i];
        for (int j = 0; j < 3; j++)
            state[j] = 0.9 * state[j] + 0.01 * sum;
    }
    return sum;
}

double primal(const double *x, int n)
{
    double apart[4] = {x[0], x[1], x[2], x[3]}, out[4] = {0};
    in_place(x, out, n);
    in_place(apart, apart, n);
    return mixture(x, n + 1) + mixture(0, n - 4) + walks(x, n) + out[1] + apart[2] + sometimes(x, n) + steps(x);
}

void gradient(const double *x, double *dx, int n)
{
    __backsweep_gradient_void((void *)primal, x, dx, n);
}

double tangent(const double *x, const double *dx, int n)
{
    return __backsweep_tangent((void *)primal, x, dx, n);
}
