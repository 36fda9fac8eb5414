// Complex arithmetic in three precisions, with the library functions and the compiler's own helpers.
#include <complex.h>
#include <stdio.h>

static double complex newton(double complex z, double complex target) {
  for (int i = 0; i < 6; i++)
    z -= (z * z * z - target) / (3.0 * z * z);
  return z;
}

double f(const double *x, int n) {
  double complex a = x[0] + I * x[1 % n], b = __builtin_complex(x[2 % n], x[3 % n]);
  double complex root = newton(1.0 + 0.5 * I, a * b + 1.0);
  double complex mixed = csqrt(a) * conj(b) + clog(b) / cpow(a, 1.5);
  float complex narrow = (float complex)a * (float complex)b;
  long double complex wide = (long double complex)a / (2.0L + b);
  return cabs(root) + creal(mixed) * carg(b) + cimag(cexp(mixed)) + (double)crealf(narrow) + (double)cimagl(wide);
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.6g\n", f(x, 4));
}
