/* Loops of a few passes are written out before anything is planned: with arrays as long as they, in nests, with sums, with
 * numbers handed on, left early, and behind calls. The same with `disable=short`. */
// RUN: %levels %s double 0.4 1.3 -0.7 0.9 0.2 1.1 0.5 -0.3 0.8
// RUN: env BACKSWEEP_OPTIONS=disable=short %clang -O2 %include -I%S/../sources/Inputs %pass -c %s -o %t.o
#include "source.h"

#include <math.h>

static void cross(const double *a, const double *b, double *c)
{
    for (int k = 0; k < 3; k++)
        c[k] = a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
}

static double length(const double *a)
{
    double sum = 0;
    for (int k = 0; k < 3; k++)
        sum += a[k] * a[k];
    return sqrt(sum + 0.1);
}

static double first_large(const double *a, double bound)
{
    for (int k = 0; k < 5; k++)
        if (a[k] * a[k] > bound)
            return a[k] * (k + 1);
    return a[0] * a[1];
}

static double f(const double *x, int n)
{
    double m[3][3], p[3][3], c[3], all = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            m[i][j] = x[(3 * i + j) % n] + (i == j);
    for (int times = 0; times < 20; times++) {
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                p[i][j] = 0;
                for (int k = 0; k < 3; k++)
                    p[i][j] += 0.3 * m[i][k] * m[k][j];
            }
        cross(m[0], p[1], c);
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++)
                m[i][j] = sin(p[i][j]) + 0.1 * c[i] * length(p[j]);
        double r = 0.5;
        for (int k = 0; k < 8; k++)
            r = r * m[k % 3][1] + 0.2;
        all += r * first_large(x, 0.8 + 0.01 * times);
    }
    return all + m[0][1] * m[2][2];
}

REQUESTS(f)
