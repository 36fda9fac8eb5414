// Gauss-Seidel sweeps in place over a grid, with a nonlinear source.
#include <math.h>
#include <stdio.h>

#define N 10

static void sweep(double u[N][N], double source) {
  for (int i = 1; i < N - 1; i++)
    for (int j = 1; j < N - 1; j++)
      u[i][j] = 0.25 * (u[i - 1][j] + u[i + 1][j] + u[i][j - 1] + u[i][j + 1]) + source * exp(-u[i][j] * u[i][j]);
}

double f(const double *x, int n) {
  double u[N][N];
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      u[i][j] = x[(i + j) % n];
  for (int t = 0; t < 5; t++)
    sweep(u, 0.01 * x[0]);
  double sum = 0.0;
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++)
      sum += (i + 1) * u[i][j] / (j + 1.0);
  return sum;
}

int main(void) {
  double x[4] = {0.5, 0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
