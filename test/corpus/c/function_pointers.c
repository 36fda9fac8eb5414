// Quadrature of functions taken from a table and through a struct of callbacks with a context.
#include <math.h>
#include <stdio.h>

typedef double (*Function)(double t, const void *context);

static double wave(double t, const void *context) { return sin(t * *(const double *)context); }
static double decay(double t, const void *context) { return exp(-t * *(const double *)context); }
static double bump(double t, const void *context) {
  const double *p = context;
  return p[0] / (1.0 + t * t * p[0] * p[0]);
}

typedef struct {
  Function function;
  const double *context;
  double weight;
} Term;

static double simpson(Term term, int steps) {
  double h = 1.0 / steps, sum = 0.0;
  for (int i = 0; i < steps; i++) {
    double t = i * h;
    sum += term.function(t, term.context) + 4.0 * term.function(t + h / 2, term.context) +
           term.function(t + h, term.context);
  }
  return term.weight * sum * h / 6.0;
}

double f(const double *x, int n) {
  static const Function table[3] = {wave, decay, bump};
  double sum = 0.0;
  for (int i = 0; i < 6; i++) {
    Term term = {table[i % 3], &x[i % n], 1.0 + 0.5 * i};
    sum += simpson(term, 8);
  }
  return sum;
}

int main(void) {
  double x[4] = {0.5, 0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
