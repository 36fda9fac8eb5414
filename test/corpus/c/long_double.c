// Compensated summation and a series in the 80-bit format.
#include <math.h>
#include <stdio.h>

static long double exponential_series(long double z) {
  long double term = 1.0L, sum = 0.0L, lost = 0.0L;
  for (int k = 1; k <= 25; k++) {
    long double y = term - lost, t = sum + y;
    lost = (t - sum) - y;
    sum = t;
    term *= z / k;
  }
  return sum;
}

double f(const double *x, int n) {
  long double sum = 0.0L;
  for (int i = 0; i < n; i++)
    sum += exponential_series(x[i]) * sqrtl(1.0L + (long double)x[i] * x[i]) + powl(2.0L, x[i]) + fmal(x[i], 0.1L, 1e-3L);
  unsigned long long whole = (unsigned long long)fabsl(sum);
  return (double)(sum / (1.0L + sinl(sum) * sinl(sum))) + 0.0 * (double)whole;
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
