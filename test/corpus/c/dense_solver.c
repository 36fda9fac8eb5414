// Gaussian elimination with partial pivoting: the pivot search branches on values.
#include <math.h>
#include <stdio.h>

enum { ORDER = 5 };

static void swap_rows(double *p, double *q, int count) {
  for (int j = 0; j < count; j++) {
    double t = p[j];
    p[j] = q[j];
    q[j] = t;
  }
}

static void solve(double a[ORDER][ORDER + 1]) {
  for (int k = 0; k < ORDER; k++) {
    int pivot = k;
    for (int i = k + 1; i < ORDER; i++)
      if (fabs(a[i][k]) > fabs(a[pivot][k]))
        pivot = i;
    if (pivot != k)
      swap_rows(a[pivot], a[k], ORDER + 1);
    for (int i = k + 1; i < ORDER; i++) {
      double factor = a[i][k] / a[k][k];
      for (int j = k; j <= ORDER; j++)
        a[i][j] -= factor * a[k][j];
    }
  }
  for (int i = ORDER - 1; i >= 0; i--) {
    for (int j = i + 1; j < ORDER; j++)
      a[i][ORDER] -= a[i][j] * a[j][ORDER];
    a[i][ORDER] /= a[i][i];
  }
}

double f(const double *x, int n) {
  double a[ORDER][ORDER + 1];
  for (int i = 0; i < ORDER; i++) {
    for (int j = 0; j < ORDER; j++)
      a[i][j] = x[(i * j) % n] + 1.0 / (1 + i + j) + (i == ORDER - 1 - j ? 3.0 : 0.0);
    a[i][ORDER] = x[i % n] * (i + 1);
  }
  solve(a);
  double sum = 0.0;
  for (int i = 0; i < ORDER; i++)
    sum += a[i][ORDER] * a[i][ORDER];
  return sum;
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
