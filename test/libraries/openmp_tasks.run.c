/* Tasks of OpenMP: in a derivative each runs where it is made, whatever it would wait for. */
// RUN: %clang -O1 -c %S/Inputs/openmp.c -o %t.rt.o
// RUN: %clang -O0 -g -Xclang -fopenmp %pass %s %t.rt.o -o %t %runtime && %t
// RUN: %clang -O2 -Xclang -fopenmp %pass %s %t.rt.o -o %t %runtime && %t
// RUN: %clang -O3 -ffast-math -Xclang -fopenmp %pass %s %t.rt.o -o %t %runtime && %t
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

enum { N = 8 };
static int failed;

/* Variables of their own, and those they share. */
static double own(const double *x, int n)
{
    double b[N], s = 0, w = x[0];
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < n; i++) {
        w *= 1.01;
#pragma omp task firstprivate(i, w) shared(b)
        b[i] = x[i] * w;
    }
    for (int i = 0; i < n; i++) s += b[i] * b[i];
    return s;
}

/* Each waits for those before it. */
static double in_order(const double *x, int n)
{
    double u = 0, v = 0, w = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : u) shared(u)
        u = x[0] * x[1];
#pragma omp task depend(in : u) depend(out : v) shared(u, v)
        v = u * x[2];
#pragma omp task depend(in : u, v) shared(u, v, w)
        w = sin(u * v);
    }
    return w * v + 0 * n;
}

/* They make others, and wait for them. */
static double walk(const double *x, int n, int depth)
{
    if (depth == 0) return sin(x[0]) * x[1 % n];
    double l, r;
#pragma omp task shared(l) firstprivate(depth)
    l = walk(x, n, depth - 1) * x[depth % n];
#pragma omp task shared(r) firstprivate(depth) if (depth > 1)
    r = walk(x, n, depth - 1) + x[2];
#pragma omp taskwait
    return l * r + 0.1 * l;
}

static double by_recursion(const double *x, int n)
{
    double s = 0;
#pragma omp parallel
#pragma omp single
    s = walk(x, n, 3);
    return s;
}

/* A loop whose passes are tasks, with what the last one leaves. */
static double by_loop(const double *x, int n)
{
    double b[N], last = 0, s = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskloop grainsize(3) lastprivate(last)
    for (int i = 0; i < n; i++) {
        b[i] = x[i] * exp(-x[i]);
        last = b[i];
    }
    for (int i = 0; i < n; i++) s += b[i] * last;
    return s;
}

struct cell {
    double value;
    struct cell *next;
};

/* One for each cell of a list, and a group that is waited for. */
static double by_list(const double *x, int n)
{
    struct cell *head = NULL;
    double s = 0;
    for (int i = 0; i < n; i++) {
        struct cell *cell = malloc(sizeof *cell);
        *cell = (struct cell){x[i], head};
        head = cell;
    }
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup
        for (struct cell *cell = head; cell; cell = cell->next) {
#pragma omp task firstprivate(cell)
            cell->value *= cell->value * x[0];
        }
        s = head->value;
    }
    for (struct cell *cell = head, *next; cell; cell = next) {
        s += cell->value;
        next = cell->next;
        free(cell);
    }
    return s;
}

typedef double function(const double *, int);

static void check(const char *name, function *f, const double *gradient)
{
    double x[N];
    for (int i = 0; i < N; i++) x[i] = 0.3 + 0.2 * i;
    for (int i = 0; i < N; i++) {
        const double h = 1e-5;
        double kept = x[i], sum;
        x[i] = kept + h;
        sum = f(x, N);
        x[i] = kept - h;
        sum -= f(x, N);
        x[i] = kept;
        if (fabs(gradient[i] - sum / (2 * h)) <= 1e-7 * (1 + fabs(gradient[i]))) continue;
        printf("%s[%d]: %.15g, not %.15g\n", name, i, gradient[i], sum / (2 * h));
        failed = 1;
    }
}

#define CHECK(f)                                                                                                       \
    do {                                                                                                               \
        double x[N], dx[N] = {0}, along[N] = {0, 1};                                                                   \
        for (int i = 0; i < N; i++) x[i] = 0.3 + 0.2 * i;                                                              \
        __enzyme_autodiff((void *)f, x, dx, N);                                                                        \
        double forward = __enzyme_fwddiff((void *)f, x, along, N);                                                     \
        failed |= fabs(forward - dx[1]) > 1e-12 * (1 + fabs(forward));                                                 \
        check(#f, f, dx);                                                                                              \
    } while (0)

int main(void)
{
    CHECK(own);
    CHECK(in_order);
    CHECK(by_recursion);
    CHECK(by_loop);
    CHECK(by_list);
    return failed;
}
