// Thomas algorithm for a banded system; every array is restrict and allocated.
#include <stdio.h>
#include <stdlib.h>

static void thomas(int n, const double *restrict lower, double *restrict diagonal, const double *restrict upper,
                   double *restrict right) {
  for (int i = 1; i < n; i++) {
    double w = lower[i] / diagonal[i - 1];
    diagonal[i] -= w * upper[i - 1];
    right[i] -= w * right[i - 1];
  }
  right[n - 1] /= diagonal[n - 1];
  for (int i = n - 2; i >= 0; i--)
    right[i] = (right[i] - upper[i] * right[i + 1]) / diagonal[i];
}

double f(const double *x, int n) {
  int order = 24;
  double *lower = malloc(order * sizeof *lower), *diagonal = malloc(order * sizeof *diagonal);
  double *upper = calloc(order, sizeof *upper), *right = malloc(order * sizeof *right);
  if (!lower || !diagonal || !upper || !right)
    abort();
  for (int i = 0; i < order; i++) {
    lower[i] = -0.5 * x[i % n];
    diagonal[i] = 4.0 + x[(i + 1) % n] * x[(i + 1) % n];
    upper[i] -= 0.25 * x[(i + 2) % n];
    right[i] = x[(i + 3) % n] + i;
  }
  thomas(order, lower, diagonal, upper, right);
  double sum = 0.0;
  for (int i = 0; i < order; i++)
    sum += right[i] * right[order - 1 - i];
  free(lower);
  free(diagonal);
  free(upper);
  free(right);
  return sum;
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
