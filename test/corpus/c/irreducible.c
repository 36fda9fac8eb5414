// Two entries into one cycle: a loop that no structure describes.
#include <math.h>
#include <stdio.h>

double f(const double *x, int n) {
  double value = x[0], other = x[1 % n];
  int count = 0;
  if (value > 0.25)
    goto middle;
top:
  value = sin(value) + 0.5 * other;
  count++;
middle:
  other = other * 0.75 + value * value;
  count += 2;
  if (count < 9)
    goto top;
  if (other > 1.0 && count < 14) {
    other *= 0.5;
    goto middle;
  }
  return value * other;
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  double y[4] = {0.125, -0.25, 0.75, 1.25};
  printf("%.12g %.12g\n", f(x, 4), f(y, 4));
}
