/* BLAS by its C names and by its Fortran names: derivatives in both modes against central differences of a plain BLAS, in both
   orders, transposed, in halves, with steps and with numbers that are scaled away. */
// RUN: %clang -O1 -c %S/Inputs/blas.c -o %t.blas.o
// RUN: %clang -O0 -g %pass %s %t.blas.o -o %t %runtime && %t
// RUN: %clang -O3 %pass %s %t.blas.o -o %t %runtime && %t
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ROWS = 101, COLUMNS, NO = 111, YES, UPPER = 121, LOWER, PLAIN = 131, UNIT, LEFT = 141, RIGHT };
double cblas_ddot(int, const double *, int, const double *, int);
void cblas_daxpy(int, double, const double *, int, double *, int);
void cblas_dcopy(int, const double *, int, double *, int);
void cblas_dscal(int, double, double *, int);
double cblas_dnrm2(int, const double *, int);
double cblas_dasum(int, const double *, int);
unsigned long cblas_idamax(int, const double *, int);
int idamax_(int *, double *, int *);
void cblas_dgemm(int, int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
void cblas_dgemv(int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
void cblas_dger(int, int, int, double, const double *, int, const double *, int, double *, int);
void cblas_dsyrk(int, int, int, int, int, double, const double *, int, double, double *, int);
void cblas_dsymm(int, int, int, int, int, double, const double *, int, const double *, int, double, double *, int);
void cblas_dtrmm(int, int, int, int, int, int, int, double, const double *, int, double *, int);
void cblas_dtrmv(int, int, int, int, int, const double *, int, double *, int);
void cblas_dtrsv(int, int, int, int, int, const double *, int, double *, int);
double ddot_(int *, double *, int *, double *, int *);
/* flang passes the lengths of texts behind all other arguments. */
void dgemm_(const char *, const char *, int *, int *, int *, double *, double *, int *, double *, int *, double *, double *, int *, long, long);
void dpotrf_(const char *, int *, double *, int *, int *);
void dlacpy_(const char *, int *, int *, double *, int *, double *, int *);

void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 24 };

static double vectors(double *x)
{
    double y[12];
    cblas_dcopy(6, x, 2, y, -1);
    cblas_dcopy(6, x + 1, 1, y + 6, 1);
    cblas_daxpy(4, x[20], x + 3, -2, y, 3);
    cblas_dscal(3, x[21] * x[22], y, 2);
    return cblas_ddot(5, y, 2, x, -3) + cblas_dnrm2(6, y, 2) * cblas_dasum(4, x, 3);
}

/* The largest elements, found by the index. */
static double largest(double *x)
{
    int n = 5, step = 3;
    return x[2 * cblas_idamax(12, x, 2)] * x[3 * (idamax_(&n, x, &step) - 1)] * x[1 + cblas_idamax(0, x, 1)];
}

static double weigh(const double *c, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += sin(c[i]) * (i + 1);
    return s;
}

static double products(double *x)
{
    double c[12], y[4] = {1, 2, 3, 4};
    for (int i = 0; i < 12; i++) c[i] = 0.1 * i * x[i];
    cblas_dgemm(ROWS, NO, YES, 2, 3, 4, x[0], x, 4, x + 8, 4, 0, c, 3);
    cblas_dgemm(COLUMNS, YES, NO, 3, 2, 4, 1.5, x, 4, x + 8, 4, x[1], c + 6, 3);
    cblas_dgemv(ROWS, YES, 3, 4, 0.5, x, 4, x + 12, 2, x[2], y, 1);
    cblas_dgemv(COLUMNS, NO, 3, 2, x[3], x, 4, x + 12, -1, 1, y, 1);
    cblas_dger(ROWS, 3, 4, x[4], x, 1, y, 1, c, 4);
    return weigh(c, 12) + weigh(y, 4);
}

static double halves(double *x)
{
    double c[9], b[6], v[3];
    /* Large numbers would turn sines round and round. */
    cblas_dscal(N, 0.25, x, 1);
    cblas_dcopy(3, x + 20, 1, v, 1);
    for (int i = 0; i < 9; i++) c[i] = x[i] * x[i + 1] + (i % 4 == 0);
    for (int i = 0; i < 6; i++) b[i] = x[i + 9];
    cblas_dsyrk(ROWS, LOWER, NO, 3, 2, x[0], x, 2, 0.5, c, 3);
    cblas_dsyrk(COLUMNS, UPPER, YES, 3, 2, 1, x + 6, 2, x[1], c, 3);
    cblas_dtrmm(ROWS, LEFT, LOWER, NO, PLAIN, 3, 2, x[2], c, 3, b, 2);
    cblas_dtrmm(COLUMNS, RIGHT, UPPER, YES, UNIT, 2, 3, 0.5, c, 3, b, 2);
    cblas_dsymm(ROWS, LEFT, UPPER, 3, 2, x[3], c, 3, b, 2, 0.5, x + 14, 2);
    cblas_dsymm(COLUMNS, RIGHT, LOWER, 2, 3, 0.1, c, 3, x + 14, 2, x[4], b, 2);
    cblas_dtrmv(ROWS, UPPER, YES, PLAIN, 3, c, 3, v, 1);
    cblas_dtrsv(COLUMNS, LOWER, NO, PLAIN, 3, c, 3, v, -1);
    cblas_dtrsv(ROWS, UPPER, YES, UNIT, 3, c, 3, v, 1);
    return weigh(c, 9) + weigh(b, 6) + weigh(v, 3) + weigh(x + 14, 6);
}

static double fortran(double *x)
{
    int two = 2, three = 3, one = 1, nine = 9, info;
    double a[9], l[9] = {0}, factor = 1, beta = 0;
    dgemm_("N", "T", &three, &three, &two, &factor, x, &three, x, &three, &beta, a, &three, 1, 1);
    for (int i = 0; i < 3; i++) a[4 * i] += 3 + x[6 + i];
    dpotrf_("L", &three, a, &three, &info);
    dlacpy_("L", &three, &three, a, &three, l, &three);
    return ddot_(&nine, l, &one, x, &one) + info;
}

static const double *point(void)
{
    static double x[N];
    for (int i = 0; i < N; i++) x[i] = 0.4 + 0.37 * ((i * 7) % 11) - 0.1 * i;
    return x;
}

static int agrees(double (*f)(double *), void gradient(const double *, double *), double tangent(double *, double *), const char *what)
{
    double x[N], dx[N] = {0}, grad[N] = {0};
    int fine = 1;
    gradient(point(), grad);
    for (int i = 0; i < N; i++) {
        double h = 1e-5, up, down;
        memcpy(x, point(), sizeof x);
        x[i] += h;
        up = f(x);
        memcpy(x, point(), sizeof x);
        x[i] -= h;
        down = f(x);
        memcpy(x, point(), sizeof x);
        memset(dx, 0, sizeof dx);
        dx[i] = 1;
        double along = tangent(x, dx), expected = (up - down) / (2 * h);
        if (fabs(along - grad[i]) > 1e-11 * (1 + fabs(along)) || fabs(grad[i] - expected) > 1e-6 * (1 + fabs(expected))) {
            printf("%s[%d]: gradient %.12g, tangent %.12g, difference %.12g\n", what, i, grad[i], along, expected);
            fine = 0;
        }
    }
    return fine;
}

#define CHECKED(f)                                                                                                                        \
    static void gradient_##f(const double *at, double *grad)                                                                            \
    {                                                                                                                                     \
        double x[N];                                                                                                                      \
        memcpy(x, at, sizeof x);                                                                                                          \
        __enzyme_autodiff((void *)f, x, grad);                                                                                          \
    }                                                                                                                                     \
    static double tangent_##f(double *x, double *dx) { return __enzyme_fwddiff((void *)f, x, dx); }
#define CHECK(f) agrees(f, gradient_##f, tangent_##f, #f)

CHECKED(vectors)
CHECKED(largest)
CHECKED(products)
CHECKED(halves)
CHECKED(fortran)

int main(void) { return !(CHECK(vectors) & CHECK(largest) & CHECK(products) & CHECK(halves) & CHECK(fortran)); }
