// Arrays whose sizes are known at run time, also as parameters and inside a loop.
#include <stdio.h>

static void smooth(int rows, int columns, double m[rows][columns]) {
  double copy[rows][columns];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      copy[i][j] = m[i][j];
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      m[i][j] = 0.5 * copy[i][j] + 0.25 * (copy[(i + 1) % rows][j] + copy[i][(j + 1) % columns]);
}

double f(const double *x, int n) {
  double total = 0.0;
  for (int size = 2; size < 6; size++) {
    double m[size][n];
    for (int i = 0; i < size; i++)
      for (int j = 0; j < n; j++)
        m[i][j] = x[j] * (i + 1);
    smooth(size, n, m);
    double *slot = __builtin_alloca(size * sizeof *slot);
    for (int i = 0; i < size; i++)
      slot[i] = m[i][i % n] * m[i][0];
    for (int i = 0; i < size; i++)
      total += slot[i] / size;
  }
  return total;
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
