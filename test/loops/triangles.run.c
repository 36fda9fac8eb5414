/* Nests of a few passes whose inner loops run as often as the counters around them say are written out as a whole: triangles, powers by a loop
 * of their own, tables read at places that are known then, pointers that walk through an array, loops left early, and nests too long for it. The
 * same without writing them out. */
// RUN: %levels %s conditioned 0.4 1.3 -0.7 0.9 0.2 1.1 0.5 -0.3 0.8
// RUN: env BACKSWEEP_OPTIONS=disable=short %levels %s conditioned 0.4 1.3 -0.7 0.9 0.2 1.1 0.5 -0.3 0.8
#include "source.h"

#include <math.h>

static const double points[4] = {0.0694318442029737, 0.330009478207571868, 0.669990521792428132, 0.9305681557970263};
static const int starts[4] = {0, 1, 1, 3}, ends[4] = {2, 3, 2, 4};

static double power(double t, int n)
{
    double p = 1;
    for (int i = 0; i < n; i++)
        p *= t;
    return p;
}

/* A polynomial and its derivatives at fixed points. */
static double collocation(const double *x)
{
    double sum = 0;
    for (int k = 0; k < 4; k++) {
        double t = points[k], w[4];
        for (int m = 0; m < 4; m++) {
            double factorial = 1;
            w[m] = 0;
            for (int j = m; j < 7; j++) {
                w[m] += power(t, j - m) / factorial * x[j];
                factorial *= j - m + 1;
            }
        }
        sum += w[3] - w[1] * w[2] + sin(w[0] * w[3]);
    }
    return sum;
}

/* Cholesky's factor of a matrix of four rows, and the logarithm of its determinant. */
static double factored(const double *x)
{
    double l[4][4], sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j <= i; j++) {
            double a = i == j ? 9 + x[i] : 0.4 * x[i + j];
            for (int k = 0; k < j; k++)
                a -= l[i][k] * l[j][k];
            l[i][j] = i == j ? sqrt(a) : a / l[j][j];
        }
    for (int i = 3; i >= 0; i--)
        sum += log(l[i][i]) * l[3][i];
    return sum;
}

/* Where inner loops begin and end stands in tables, and what is looked up may be overwritten in the nest. */
static double bands(const double *x)
{
    double y[4] = {x[0], x[1], x[2], x[3]};
    for (int i = 0; i < 4; i++)
        for (int j = starts[i]; j < ends[i]; j++)
            y[i] += y[j] * x[4 + j] * points[3 - j];
    return y[0] + y[1] * y[2] - y[3];
}

/* Pointers as counters; the inner one goes as far as the outer one has come. */
static double walked(const double *x)
{
    double sum = 0;
    for (const double *p = x; p != x + 5; p++)
        for (const double *q = x; q < p; q++)
            sum += *p * *q * sin(*p - *q);
    return sum;
}

/* Powers whose base is differentiated, and whose number of passes an inner counter tells. */
static double series(const double *x)
{
    double sum = 0;
    for (int i = 0; i < 3; i++)
        for (int j = i; j > 0; j--)
            sum += power(x[i], j) * power(x[j] + x[8], i - j);
    return sum;
}

/* Left early where a number says so; how often the inner loop runs is not known. */
static double left_early(const double *x)
{
    double sum = 0;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j <= i; j++) {
            if (x[j] * x[i] > 1)
                break;
            sum += x[j] * power(x[i], j);
        }
    return sum;
}

/* Too long to be written out. */
static double tetrahedron(const double *x)
{
    double sum = 0;
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < i; j++)
            for (int k = 0; k <= j; k++)
                sum += sin(x[i] * x[j]) * x[k] + cos(x[k]);
    return sum;
}

static double f(const double *x, int n)
{
    double all = 0;
    for (int times = 0; times < n; times++)
        all = 0.3 * all * x[times] + collocation(x) + factored(x) + bands(x) + walked(x) + series(x) + left_early(x);
    return all + tetrahedron(x);
}

REQUESTS(f)
