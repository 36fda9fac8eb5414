/* Recursion, alone and mutual, over scalars, trees, arrays and local memory: calls that no inlining removes. */
// RUN: %clang -O0 -g %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clang -O2 -g %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: env BACKSWEEP_OPTIONS=resident=always %clang -O2 -g %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clang -O3 -ffast-math %include -fpass-plugin=%plugin %s -o %t %runtime && %t
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backsweep.h"

double power(double x, int n) { if (n == 0) return 1; if (n & 1) return x * power(x, n - 1); double h = power(x, n / 2); return h * h; }
double fib(double a, double b, int n) { return n <= 0 ? a : n == 1 ? b : sin(fib(a, b, n - 1)) + 0.5 * fib(a, b, n - 2); }
struct node { double v; struct node *l, *r; int tag; };
double tree(struct node *n) { if (!n) return 0; double s = n->v * n->v + tree(n->l) * n->v + cos(tree(n->r)); n->v = s * 0.5; return s; }
double odd(double x, int n); 
double even(double x, int n) { return n == 0 ? x : x * odd(x + 0.1, n - 1); }
double odd(double x, int n) { return n == 0 ? 1 : sin(x) + even(x * 0.9, n - 1); }
void msort(double *a, double *t, int n) {
  if (n < 2) return;
  int h = n / 2; msort(a, t, h); msort(a + h, t + h, n - h);
  int i = 0, j = h, k = 0;
  while (i < h && j < n) t[k++] = a[i] < a[j] ? a[i++] : a[j++];
  while (i < h) t[k++] = a[i++];
  while (j < n) t[k++] = a[j++];
  for (i = 0; i < n; i++) a[i] = t[i];
}
double sorted(double *a, double *t, int n) { msort(a, t, n); double s = 0; for (int i = 0; i < n; i++) s += (i + 1) * a[i] * a[i]; return s; }
void qs(double *a, int lo, int hi) { if (lo >= hi) return; double p = a[hi]; int i = lo; for (int j = lo; j < hi; j++) if (a[j] < p) { double t = a[i]; a[i] = a[j]; a[j] = t; i++; } double t = a[i]; a[i] = a[hi]; a[hi] = t; qs(a, lo, i - 1); qs(a, i + 1, hi); }
double quick(double *a, int n) { qs(a, 0, n - 1); double s = 0; for (int i = 0; i < n; i++) s += exp(-0.1*i) * a[i] * a[i]; return s; }
double local(double *x, int n) { double b[2] = { x[0] * n, x[1] }; if (n == 0) return b[0] + b[1]; double r = local(b, n - 1) * b[1]; x[0] += sin(b[0]); return r + b[0]; }
static int close_to(double a, double b, const char *w) { if (fabs(a - b) > 1e-5 * (1 + fabs(b))) { printf("%s: %.12g but %.12g\n", w, a, b); return 0; } return 1; }
int main() {
  int ok = 1; double h = 1e-6;
  ok &= close_to(__backsweep_gradient((void *)power, bs_out, 1.3, 13), 13 * pow(1.3, 12), "power");
  ok &= close_to(__backsweep_tangent((void *)power, bs_dup, 1.3, 1.0, 13), 13 * pow(1.3, 12), "power t");
  struct { double a, b; } g; extern typeof(g) __backsweep_gradient_fib(void *, ...);
  g = __backsweep_gradient_fib((void *)fib, bs_out, 0.7, bs_out, 0.3, 9);
  ok &= close_to(g.a, (fib(0.7 + h, 0.3, 9) - fib(0.7 - h, 0.3, 9)) / 2 / h, "fib a");
  ok &= close_to(g.b, (fib(0.7, 0.3 + h, 9) - fib(0.7, 0.3 - h, 9)) / 2 / h, "fib b");
  ok &= close_to(__backsweep_gradient((void *)even, bs_out, 0.8, 7), (even(0.8 + h, 7) - even(0.8 - h, 7)) / 2 / h, "even");
  for (int k = 0; k < 5; k++) {
    struct node n[5], d[5];
    #define MAKE(N) for (int i = 0; i < 5; i++) { N[i].v = 0.3 * i + 0.2; N[i].l = 2*i+1 < 5 ? &N[2*i+1] : 0; N[i].r = 2*i+2 < 5 ? &N[2*i+2] : 0; N[i].tag = i; }
    MAKE(n) MAKE(d) for (int i = 0; i < 5; i++) d[i].v = 0;
    __backsweep_gradient((void *)tree, bs_dup, n, d);
    MAKE(n) n[k].v += h; double up = tree(n); MAKE(n) n[k].v -= h; double down = tree(n);
    ok &= close_to(d[k].v, (up - down) / 2 / h, "tree");
    MAKE(n) MAKE(d) for (int i = 0; i < 5; i++) d[i].v = i == k;
    ok &= close_to(__backsweep_tangent((void *)tree, bs_dup, n, d), (up - down) / 2 / h, "tree t");
  }
  double a0[7] = { 3, -1, 2.5, 0.5, 7, -4, 1 };
  for (int k = 0; k < 7; k++) {
    double a[7], d[7] = {0}, t[7], dt[7] = {0};
    for (int i = 0; i < 7; i++) a[i] = a0[i];
    __backsweep_gradient((void *)sorted, bs_dup, a, d, bs_dup, t, dt, 7);
    for (int i = 0; i < 7; i++) a[i] = a0[i] + h * (i == k); double up = sorted(a, t, 7);
    for (int i = 0; i < 7; i++) a[i] = a0[i] - h * (i == k); double down = sorted(a, t, 7);
    ok &= close_to(d[k], (up - down) / 2 / h, "msort");
    for (int i = 0; i < 7; i++) a[i] = a0[i], d[i] = 0;
    __backsweep_gradient((void *)quick, bs_dup, a, d, 7);
    for (int i = 0; i < 7; i++) a[i] = a0[i] + h * (i == k); up = quick(a, 7);
    for (int i = 0; i < 7; i++) a[i] = a0[i] - h * (i == k); down = quick(a, 7);
    ok &= close_to(d[k], (up - down) / 2 / h, "quick");
  }
  for (int k = 0; k < 2; k++) {
    double x[2] = {0.4, 0.7}, d[2] = {0, 0};
    __backsweep_gradient((void *)local, bs_dup, x, d, 4);
    double u[2] = {0.4, 0.7}; u[k] += h; double up = local(u, 4); double v[2] = {0.4, 0.7}; v[k] -= h; double down = local(v, 4);
    ok &= close_to(d[k], (up - down) / 2 / h, "local");
  }
  puts(ok ? "all right" : "WRONG"); return !ok;
}
