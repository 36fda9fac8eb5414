// Explicit heat equation on a line, two buffers swapped after every step.
#include <stdio.h>

enum { CELLS = 32, STEPS = 12 };

double f(const double *x, int n) {
  double a[CELLS], b[CELLS];
  double *now = a, *next = b;
  for (int i = 0; i < CELLS; i++)
    now[i] = x[i % n] * (1.0 + 0.01 * i);
  for (int t = 0; t < STEPS; t++) {
    for (int i = 1; i + 1 < CELLS; i++)
      next[i] = now[i] + 0.2 * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
    next[0] = now[0];
    next[CELLS - 1] = now[CELLS - 1];
    double *spare = now;
    now = next;
    next = spare;
  }
  double energy = 0.0;
  for (int i = 0; i < CELLS; i++)
    energy += now[i] * now[i];
  return energy;
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
