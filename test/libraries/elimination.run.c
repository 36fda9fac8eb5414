/* What LAPACK solves: derivatives in both modes against central differences of a plain elimination, with rows that are exchanged and rows
   that are not, several right-hand sides, transposed, in halves, and of three diagonals. */
// RUN: %clang -O1 -c %S/Inputs/elimination.c -o %t.lapack.o
// RUN: %clang -O0 -g %pass %s %t.lapack.o -o %t %runtime && %t
// RUN: %clang -O3 %pass %s %t.lapack.o -o %t %runtime && %t
#include <math.h>
#include <stdio.h>
#include <string.h>

void dgetrf_(int *, int *, double *, int *, int *, int *);
void dgetrs_(const char *, int *, int *, double *, int *, int *, double *, int *, int *);
void dgesv_(int *, int *, double *, int *, int *, double *, int *, int *);
void dgtsv_(int *, int *, double *, double *, double *, double *, int *, int *);
void dtrtrs_(const char *, const char *, const char *, int *, int *, double *, int *, double *, int *, int *);
void dposv_(const char *, int *, int *, double *, int *, double *, int *, int *);

extern int enzyme_dup;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

enum { N = 12 };

static double weigh(const double *b, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += sin(b[i]) * (i + 1);
    return s;
}

static void factored(const double *x, double *y)
{
    int n = 3, two = 2, lda = 4, info, pivots[3];
    double a[12] = {0}, b[6];
    for (int i = 0; i < 9; i++) a[i % 3 + i / 3 * 4] = x[i] + (i % 4 == 1) * 2;
    for (int i = 0; i < 6; i++) b[i] = x[i + 6];
    dgetrf_(&n, &n, a, &lda, pivots, &info);
    dgetrs_("N", &n, &two, a, &lda, pivots, b, &n, &info);
    dgetrs_("T", &n, &two, a, &lda, pivots, b, &n, &info);
    *y = weigh(b, 6) + log(fabs(a[0] * a[5] * a[10])) + pivots[0];
}

static void solved(const double *x, double *y)
{
    int n = 3, two = 2, info, pivots[3];
    double a[9], b[8];
    for (int round = 0; round < 2; round++) {
        int ldb = 4;
        for (int i = 0; i < 9; i++) a[i] = x[(i * 5 + round) % N] + (i % 4 == round) * 6;
        for (int i = 0; i < 8; i++) b[i] = x[i] * (i + round);
        dgesv_(&n, &two, a, &n, pivots, b, &ldb, &info);
        *y += weigh(b, 7) + info;
    }
}

static void diagonals(const double *x, double *y)
{
    int n = 5, two = 2, one = 1, info;
    double main[5] = {x[0], 0.1 * x[1], x[2] + 2, 0.2, x[3]}, below[4] = {2, x[4], x[5], 1.5}, above[4] = {x[6], x[7], 1, x[8]}, b[10];
    for (int i = 0; i < 10; i++) b[i] = x[i + 2] * (i + 1);
    dgtsv_(&n, &two, below, main, above, b, &n, &info);
    double alone = x[0] + 2, c = x[9];
    dgtsv_(&one, &one, below, &alone, above, &c, &one, &info);
    *y = weigh(b, 10) + c;
}

static void halves(const double *x, double *y)
{
    int n = 3, two = 2, lda = 4, info;
    double a[12], b[6];
    for (int i = 0; i < N; i++) a[i] = 0.3 * x[i] + (i % 5 == 0) * 4;
    for (int i = 0; i < 6; i++) b[i] = x[i] + 1;
    dtrtrs_("U", "T", "N", &n, &two, a, &lda, b, &n, &info);
    dtrtrs_("L", "N", "U", &n, &two, a, &lda, b, &n, &info);
    double upper[12], lower[12];
    memcpy(upper, a, sizeof a);
    memcpy(lower, a, sizeof a);
    dposv_("U", &n, &two, upper, &lda, b, &n, &info);
    dposv_("L", &n, &two, lower, &lda, b, &n, &info);
    *y = weigh(b, 6) + info;
}

static double value(void (*f)(const double *, double *), const double *x)
{
    double y = 0;
    f(x, &y);
    return y;
}

#define CHECK(f)                                                                                                                       \
    do {                                                                                                                               \
        double dx[N] = {0}, y = 0, dy = 1;                                                                                             \
        __enzyme_autodiff((void *)f, enzyme_dup, x, dx, enzyme_dup, &y, &dy);                                                          \
        for (int i = 0; i < N; i++) {                                                                                                  \
            double along[N] = {0}, tangent = 0, kept = x[i], h = 1e-5;                                                                 \
            along[i] = 1;                                                                                                              \
            y = 0;                                                                                                                     \
            __enzyme_fwddiff((void *)f, enzyme_dup, x, along, enzyme_dup, &y, &tangent);                                               \
            x[i] = kept + h;                                                                                                           \
            double up = value(f, x);                                                                                                   \
            x[i] = kept - h;                                                                                                           \
            double expected = (up - value(f, x)) / (2 * h);                                                                            \
            x[i] = kept;                                                                                                               \
            if (fabs(tangent - dx[i]) > 1e-10 * (1 + fabs(tangent)) || fabs(dx[i] - expected) > 1e-6 * (1 + fabs(expected))) {         \
                printf("%s[%d]: gradient %.12g, tangent %.12g, difference %.12g\n", #f, i, dx[i], tangent, expected);                  \
                failures++;                                                                                                            \
            }                                                                                                                          \
        }                                                                                                                              \
    } while (0)

int main(void)
{
    double x[N];
    int failures = 0;
    for (int i = 0; i < N; i++) x[i] = 0.3 + 0.17 * ((i * 7) % N);
    CHECK(factored);
    CHECK(solved);
    CHECK(diagonals);
    CHECK(halves);
    return failures != 0;
}
