// Power iteration with a compressed sparse row matrix: indices are read from memory.
#include <math.h>
#include <stdio.h>

enum { ROWS = 8 };

static const int row_start[ROWS + 1] = {0, 2, 5, 7, 9, 12, 14, 16, 18};
static const int column[18] = {0, 1, 0, 1, 4, 2, 7, 3, 6, 1, 4, 5, 5, 6, 0, 6, 2, 7};

static void multiply(const double *value, const double *v, double *out) {
  for (int i = 0; i < ROWS; i++) {
    double sum = 0.0;
    for (int k = row_start[i]; k < row_start[i + 1]; k++)
      sum += value[k] * v[column[k]];
    out[i] = sum;
  }
}

double f(const double *x, int n) {
  double value[18], v[ROWS], w[ROWS];
  for (int k = 0; k < 18; k++)
    value[k] = x[k % n] + 0.1 * k;
  for (int i = 0; i < ROWS; i++)
    v[i] = 1.0 + 0.25 * i;
  double norm = 0.0;
  for (int t = 0; t < 6; t++) {
    multiply(value, v, w);
    norm = 0.0;
    for (int i = 0; i < ROWS; i++)
      norm += w[i] * w[i];
    norm = sqrt(norm);
    for (int i = 0; i < ROWS; i++)
      v[i] = w[i] / norm;
  }
  return norm;
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
