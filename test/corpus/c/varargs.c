// A weighted mean over a variable number of arguments, doubles and ints mixed.
#include <stdarg.h>
#include <stdio.h>

static double weighted_mean(int count, ...) {
  va_list list, again;
  va_start(list, count);
  va_copy(again, list);
  double total = 0.0, weights = 0.0;
  for (int i = 0; i < count; i++) {
    int weight = va_arg(list, int);
    double value = va_arg(list, double);
    total += weight * value;
    weights += weight;
  }
  double mean = total / weights, spread = 0.0;
  for (int i = 0; i < count; i++) {
    int weight = va_arg(again, int);
    double off = va_arg(again, double) - mean;
    spread += weight * off * off;
  }
  va_end(again);
  va_end(list);
  return mean + spread;
}

double f(const double *x, int n) {
  return weighted_mean(3, 1, x[0], 2, x[1 % n], 4, x[2 % n]) * weighted_mean(2, 3, x[3 % n], 5, x[0] * x[0]);
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
