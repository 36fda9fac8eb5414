// Explicit vectors: arithmetic, comparison masks, shuffles, lanes by a variable index, masked selection.
#include <stdio.h>

typedef double v4 __attribute__((vector_size(32)));
typedef long long m4 __attribute__((vector_size(32)));
typedef float v8f __attribute__((vector_size(32)));

static v4 rotate(v4 v) { return __builtin_shufflevector(v, v, 1, 2, 3, 0); }

static v4 clamp_low(v4 v, double least) {
  v4 floor = {least, least, least, least};
  m4 keep = v > floor;
  return (v4)((keep & (m4)v) | (~keep & (m4)floor));
}

double f(const double *x, int n) {
  v4 v = {x[0], x[1 % n], x[2 % n], x[3 % n]};
  v4 sum = {0};
  for (int i = 0; i < 5; i++) {
    v = clamp_low(rotate(v) * 0.9 + v * v * 0.1, -0.2);
    sum += v / (1.0 + v * v);
    sum[i & 3] += v[(i * 3) & 3];
  }
  v8f narrow = {1, 2, 3, 4, 5, 6, 7, 8};
  narrow *= (float)sum[0];
  return sum[0] + 2.0 * sum[1] + sum[2] * sum[3] + narrow[5];
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.6g\n", f(x, 4));
}
