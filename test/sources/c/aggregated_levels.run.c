// RUN: %levels %s double 0.63 0.41 0.87 0.52
// Algebraic multigrid by aggregation: sparse matrices in a list of levels that grows, each made of the one before. The number of a coarse cell
// is moved from one array to another, and is an index on its way.
#include "source.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
typedef struct { int n, nnz; int *ptr, *idx; double *a; } csr;
typedef struct { csr A; int *agg; int nc; double *x, *b, *r, *diag; } mglevel;
typedef struct { mglevel *l; int n, cap; } amg;
static csr csr_new(int n, int nnz) { csr m; m.n = n; m.nnz = nnz; m.ptr = calloc(n + 1, sizeof(int)); m.idx = malloc(nnz * sizeof(int)); m.a = calloc(nnz, sizeof(double)); return m; }
static void csr_free(csr *m) { free(m->ptr); free(m->idx); free(m->a); }
static csr galerkin(const csr *A, const int *agg, int nc) {
  csr C = csr_new(nc, nc * nc); int nnz = 0; int *mark = malloc(nc * sizeof(int));
  for (int i = 0; i < nc; i++) {
    for (int j = 0; j < nc; j++) mark[j] = -1;
    C.ptr[i] = nnz;
    for (int r = 0; r < A->n; r++) if (agg[r] == i)
      for (int p = A->ptr[r]; p < A->ptr[r+1]; p++) {
        int c = agg[A->idx[p]];
        if (mark[c] < 0) { mark[c] = nnz; C.idx[nnz] = c; C.a[nnz] = 0; nnz++; }
        C.a[mark[c]] += A->a[p];
      }
  }
  C.ptr[nc] = nnz; C.nnz = nnz; free(mark); return C;
}
static void add_level(amg *m, csr A) {
  if (m->n == m->cap) { m->cap = m->cap ? m->cap * 2 : 2; m->l = realloc(m->l, m->cap * sizeof *m->l); }
  mglevel *l = &m->l[m->n++]; memset(l, 0, sizeof *l); l->A = A; 
  l->x = calloc(A.n, sizeof(double)); l->b = calloc(A.n, sizeof(double)); l->r = calloc(A.n, sizeof(double)); l->diag = calloc(A.n, sizeof(double));
  for (int i = 0; i < A.n; i++) for (int p = A.ptr[i]; p < A.ptr[i+1]; p++) if (A.idx[p] == i) l->diag[i] = A.a[p];
}
static void setup(amg *m) {
  while (m->l[m->n - 1].A.n > 2) {
    mglevel *l = &m->l[m->n - 1]; l->nc = (l->A.n + 1) / 2; l->agg = malloc(l->A.n * sizeof(int));
    for (int i = 0; i < l->A.n; i++) l->agg[i] = i / 2;
    csr C = galerkin(&l->A, l->agg, l->nc);
    add_level(m, C);
  }
}
static void smooth(mglevel *l, int sweeps) {
  for (int s = 0; s < sweeps; s++) for (int i = 0; i < l->A.n; i++) {
    double r = l->b[i]; for (int p = l->A.ptr[i]; p < l->A.ptr[i+1]; p++) r -= l->A.a[p] * l->x[l->A.idx[p]];
    l->x[i] += 0.8 * r / l->diag[i];
  }
}
static void cycle(amg *m, int k) {
  mglevel *l = &m->l[k]; smooth(l, 2);
  if (k == m->n - 1) { smooth(l, 4); return; }
  mglevel *c = &m->l[k + 1];
  for (int i = 0; i < c->A.n; i++) c->b[i] = c->x[i] = 0;
  for (int i = 0; i < l->A.n; i++) { double r = l->b[i]; for (int p = l->A.ptr[i]; p < l->A.ptr[i+1]; p++) r -= l->A.a[p] * l->x[l->A.idx[p]]; c->b[l->agg[i]] += r; }
  cycle(m, k + 1);
  for (int i = 0; i < l->A.n; i++) l->x[i] += c->x[l->agg[i]];
  smooth(l, 1);
}
static double f(const double *x, int n) {
  int N = 12; csr A = csr_new(N, 3 * N); int nnz = 0;
  for (int i = 0; i < N; i++) { double k = 1 + x[i % n] * x[i % n]; A.ptr[i] = nnz;
    if (i) { A.idx[nnz] = i - 1; A.a[nnz++] = -k; } A.idx[nnz] = i; A.a[nnz++] = 3 * k + 0.5; if (i < N - 1) { A.idx[nnz] = i + 1; A.a[nnz++] = -k * 0.7; } }
  A.ptr[N] = nnz; A.nnz = nnz;
  amg m = {0}; add_level(&m, A); setup(&m);
  for (int i = 0; i < N; i++) m.l[0].b[i] = sin(x[(i + 1) % n]);
  for (int it = 0; it < 3; it++) cycle(&m, 0);
  double s = 0; for (int i = 0; i < N; i++) s += m.l[0].x[i] * (i + 1);
  for (int k = 0; k < m.n; k++) { mglevel *l = &m.l[k]; csr_free(&l->A); free(l->agg); free(l->x); free(l->b); free(l->r); free(l->diag); }
  free(m.l); return s;
}
REQUESTS(f)
