// Recursive radix-2 transform of a complex signal; the result is a weighted power spectrum.
#include <complex.h>
#include <math.h>
#include <stdio.h>

enum { LENGTH = 16 };

static void transform(double complex *v, double complex *scratch, int n) {
  if (n == 1)
    return;
  int half = n / 2;
  for (int i = 0; i < half; i++) {
    scratch[i] = v[2 * i];
    scratch[half + i] = v[2 * i + 1];
  }
  transform(scratch, v, half);
  transform(scratch + half, v, half);
  for (int k = 0; k < half; k++) {
    double complex w = cexp(-I * acos(-1.0) * 2.0 * k / n) * scratch[half + k];
    v[k] = scratch[k] + w;
    v[k + half] = scratch[k] - w;
  }
}

double f(const double *x, int n) {
  double complex v[LENGTH], scratch[LENGTH];
  for (int i = 0; i < LENGTH; i++)
    v[i] = x[i % n] * cos(0.3 * i) + I * x[(i * i) % n];
  transform(v, scratch, LENGTH);
  double power = 0.0;
  for (int i = 0; i < LENGTH; i++)
    power += (creal(v[i]) * creal(v[i]) + cimag(v[i]) * cimag(v[i])) / (1 + i);
  return power;
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
