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
