/* OpenMP: a region has one thread in a derivative, which does what all would have done, whatever the thread that calls it is
   called. */
// RUN: %clang -O1 -c %S/Inputs/openmp.c -o %t.rt.o
// RUN: %clang -O0 -g -Xclang -fopenmp %pass %s %t.rt.o -o %t %runtime && %t
// RUN: %clang -O2 -Xclang -fopenmp %pass %s %t.rt.o -o %t %runtime && %t
// RUN: %clang -O3 -ffast-math -Xclang -fopenmp %pass %s %t.rt.o -o %t %runtime && %t
#include <math.h>
#include <stdio.h>
#include <string.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
int omp_get_thread_num(void);
int omp_get_num_threads(void);

enum { N = 10 };
static double x[N], dx[N];
static int failed;

static void start(void)
{
    for (int i = 0; i < N; i++) x[i] = 0.5 + i;
    memset(dx, 0, sizeof dx);
}

static void near(double found, double expected, const char *what, int i)
{
    if (fabs(found - expected) <= 1e-12 * (1 + fabs(expected))) return;
    printf("%s[%d]: %.15g, not %.15g\n", what, i, found, expected);
    failed = 1;
}

static void squares(double *a, int n)
{
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] *= a[i];
}

static double sums(double *a, int n, double scale)
{
    double s = 0, most = 0;
#pragma omp parallel for collapse(2) reduction(+ : s) reduction(max : most)
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 3; j++) {
            s += scale * a[i] * j;
            most = a[i] * j > most ? a[i] * j : most;
        }
    return s + most;
}

static double pieces(double *a, long n)
{
    double s = 0;
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < (int)n; i++) {
            double square = a[i] * a[i];
#pragma omp critical
            s += square * i;
        }
#pragma omp single
        s *= 2;
#pragma omp for schedule(static, 4)
        for (long i = 0; i < n; i++) {
#pragma omp atomic
            s += sin(a[i]);
        }
    }
    return s;
}

/* Whoever deals out the work by hand asks who he is. */
static double by_hand(double *a, int n)
{
    double part[8] = {0};
#pragma omp parallel
    for (int i = omp_get_thread_num(); i < n; i += omp_get_num_threads()) part[omp_get_thread_num()] += a[i] * a[i];
    double s = 0;
    for (int i = 0; i < 8; i++) s += part[i];
    return s;
}

static double own(double *a, int n, double c)
{
    double last = 0;
    float g = 2;
#pragma omp parallel for firstprivate(c, g) lastprivate(last) num_threads(2) if (n > 5)
    for (int i = 0; i < n; i++) {
        last = a[i] * c * g;
        a[i] = last;
    }
    return last * a[0];
}

int main(void)
{
    start();
    for (int i = 0; i < N; i++) dx[i] = 1;
    __enzyme_autodiff((void *)squares, x, dx, N);
    for (int i = 0; i < N; i++) near(dx[i], 1 + 2 * i, "squares", i);

    start();
    near(__enzyme_autodiff((void *)sums, x, dx, N, 1.5), 150, "scale", 0);
    for (int i = 0; i < N; i++) near(dx[i], i == N - 1 ? 6.5 : 4.5, "sums", i);
    start();
    dx[2] = 1;
    near(__enzyme_fwddiff((void *)sums, x, dx, N, 1.5, 0.0), 4.5, "along sums", 2);

    start();
    __enzyme_autodiff((void *)pieces, x, dx, (long)N);
    for (int i = 0; i < N; i++) near(dx[i], 4 * i * x[i] + cos(x[i]), "pieces", i);

    start();
    __enzyme_autodiff((void *)by_hand, x, dx, N);
    for (int i = 0; i < N; i++) near(dx[i], 2 * x[i], "by hand", i);

    start();
    near(__enzyme_autodiff((void *)own, x, dx, N, 1.5), 2 * 4 * 1.5 * 0.5 * 9.5, "c", 0);
    near(dx[0], 9 * 9.5, "own", 0);
    near(dx[9], 9 * 0.5, "own", 9);
    return failed;
}
