// RUN: %levels %s float 0.8 1.3 0.4 2.1
// Finite elements with conjugate gradients: aligned memory, arrays of variable length, a material of a float, a number and a flag by value.
#define _GNU_SOURCE
#include "source.h"
#include <math.h>
#include <stdlib.h>
#include <stdbool.h>
typedef struct { float k; int id; bool soft; } material;
typedef struct { material mat; int nodes[2]; } element;
static double stiffness(material m, double h) { return (m.soft ? 0.5 : 1.0) * (2 + m.k * m.k) / h; }
static material mat(int id, double v) { material m = {(float)v, id, id % 2 == 0}; return m; }
static void assemble(int n, double A[n][n], const element *e, int ne, double h)
{
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) A[i][j] = i == j ? 1 : 0;
    for (int k = 0; k < ne; k++) { double s = stiffness(e[k].mat, h); int a = e[k].nodes[0], b = e[k].nodes[1]; A[a][a] += s; A[b][b] += s; A[a][b] -= s; A[b][a] -= s; }
}
static void cg(int n, double A[n][n], const double *b, double *x)
{
    double *r, *p, *q;
    if (posix_memalign((void **)&r, 64, n * sizeof *r) || posix_memalign((void **)&p, 64, n * sizeof *p)) abort();
    q = aligned_alloc(64, 64 * ((n * sizeof *q + 63) / 64));
    double rr = 0;
    for (int i = 0; i < n; i++) { x[i] = 0; r[i] = p[i] = b[i]; rr += r[i] * r[i]; }
    for (int it = 0; it < 4 && rr > 1e-20; it++) {
        double pq = 0;
        for (int i = 0; i < n; i++) { q[i] = 0; for (int j = 0; j < n; j++) q[i] += A[i][j] * p[j]; pq += p[i] * q[i]; }
        double alpha = rr / pq, old = rr;
        rr = 0;
        for (int i = 0; i < n; i++) { x[i] += alpha * p[i]; r[i] -= alpha * q[i]; rr += r[i] * r[i]; }
        for (int i = 0; i < n; i++) p[i] = r[i] + rr / old * p[i];
    }
    free(r); free(p); free(q);
}
static double f(const double *x, int n)
{
    double A[n + 1][n + 1], b[n + 1], u[n + 1];
    element e[n];
    for (int i = 0; i < n; i++) e[i] = (element){mat(i, x[i]), {i, i + 1}};
    assemble(n + 1, A, e, n, 0.5);
    for (int i = 0; i <= n; i++) b[i] = sin(i + x[i % n]);
    cg(n + 1, A, b, u);
    double s = 0;
    for (int i = 0; i <= n; i++) s += u[i] * u[i] * (i + 1);
    return s;
}
REQUESTS(f)
