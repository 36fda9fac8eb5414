// Adaptive Runge-Kutta with rejected steps: the number of iterations depends on the data.
#include <math.h>
#include <stdio.h>

typedef struct {
  double u, v;
} State;

static State slope(State s, double stiffness) {
  return (State){s.v, stiffness * (1.0 - s.u * s.u) * s.v - s.u};
}

static State axpy(State s, double h, State k) { return (State){s.u + h * k.u, s.v + h * k.v}; }

double f(const double *x, int n) {
  State s = {x[0], x[1 % n]};
  double t = 0.0, h = 0.1, end = 1.5, stiffness = x[2 % n];
  while (t < end) {
    if (t + h > end)
      h = end - t;
    State k1 = slope(s, stiffness);
    State k2 = slope(axpy(s, h / 2, k1), stiffness);
    State k3 = slope(axpy(s, 0.75 * h, k2), stiffness);
    State next = {s.u + h * (2 * k1.u + 3 * k2.u + 4 * k3.u) / 9, s.v + h * (2 * k1.v + 3 * k2.v + 4 * k3.v) / 9};
    double error = h * hypot(k1.u - k2.u, k1.v - k2.v);
    if (error > 0.02) {
      h *= 0.5;
      continue;
    }
    s = next;
    t += h;
    if (error < 0.002)
      h *= 1.5;
  }
  return s.u * s.u + x[3 % n] * s.v;
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
