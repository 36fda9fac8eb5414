// A small interpreter with a table of labels (indirect branches), a dense switch and fall-through.
#include <stdio.h>

static double run(const unsigned char *code, double x, double y) {
  static const void *const table[] = {&&stop, &&add, &&multiply, &&square, &&exchange};
  double a = x, b = y;
  goto *table[*code];
add:
  a += b;
  goto *table[*++code];
multiply:
  a *= b;
  goto *table[*++code];
square:
  a = a * a + 1.0;
  goto *table[*++code];
exchange: {
  double t = a;
  a = b;
  b = t;
}
  goto *table[*++code];
stop:
  return a - b;
}

static double choose(int which, double v) {
  double r = 1.0;
  switch (which) {
  case 0: r += v; // falls through
  case 1: r *= v + 2.0; break;
  case 2:
  case 3: r -= v * v; break;
  case 100 ... 120: r = v / 3.0; break;
  default: r = 0.5 * v;
  }
  return r;
}

double f(const double *x, int n) {
  static const unsigned char code[] = {1, 2, 4, 3, 1, 4, 2, 0};
  double sum = run(code, x[0], x[1 % n]);
  const int which[] = {0, 1, 2, 3, 7, 110};
  for (int i = 0; i < 6; i++)
    sum += choose(which[i], x[i % n]);
  return sum;
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
