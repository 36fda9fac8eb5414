/* Outputs that are linear, and sums of terms that depend on few inputs each. */
#include <math.h>

double chained(const double *x, int n) {
  double f = 0.0;
  for (int i = 0; i + 1 < n; i++) {
    double a = x[i + 1] - x[i] * x[i], b = 1.0 - x[i];
    f += 100.0 * a * a + b * b;
  }
  return f;
}

/* Every term needs the sum so far. */
double running(const double *x, int n) {
  double f = 0.0, s = 0.0;
  for (int i = 0; i < n; i++) {
    s += x[i];
    f += sin(s);
  }
  return f;
}

void constraints(const double *x, double scale, double *restrict c) {
  c[0] = 2.0 * x[0] - x[1] + 1.0;
  c[1] = x[0] * x[1];
  c[2] = scale * x[2];
  c[3] = exp(x[3]);
  c[4] = 7.0;
}

/* Which numbers a term reads is known at run time only; the sum is kept in memory. */
void springs(const double *restrict x, const int *restrict a, const int *restrict b, const double *restrict k, int n,
             double *restrict energy) {
  *energy = 0.0;
  for (int i = 0; i < n; i++) {
    double d = x[a[i]] - x[b[i]];
    *energy += 0.5 * k[i] * d * d;
  }
}

/* A grid, without its diagonal. */
double grid(int n, const double u[n][n]) {
  double e = 0.0;
  for (int i = 0; i + 1 < n; i++)
    for (int j = 0; j + 1 < n; j++) {
      double dx = u[i + 1][j] - u[i][j], dy = u[i][j + 1] - u[i][j];
      if (i != j) e += sqrt(1.0 + dx * dx + dy * dy);
    }
  return e;
}

double dense(const double *A, const double *x, const double *b, int n) {
  double f = 0.0;
  for (int i = 0; i < n; i++) {
    double r = -b[i];
    for (int j = 0; j < n; j++) r += A[i * n + j] * x[j];
    f += r * r;
  }
  return f;
}

double stepping(const double *x, int n) {
  double f = 0.0;
  for (int i = 2; i < n; i += 2) f += x[i] * x[i - 2];
  return f;
}

double whole(const double *x, int n) {
  double s = 0.0;
  for (int i = 0; i < n; i++) s += exp(x[i]);
  return log(s);
}

/* Each term has a sum of all numbers in it. */
double weighted(const double *x, int n) {
  double s = 0.0, f = 0.0;
  for (int i = 0; i < n; i++) s += x[i] * x[i];
  for (int i = 0; i < n; i++) f += s * x[i];
  return f;
}

/* How many terms there are is decided by the numbers. */
double until(const double *x) {
  double f = 0.0;
  for (int i = 0; x[i] > 0.0; i++) f += x[i] * x[i];
  return f;
}
