// Fixed-point sums in 128 bits, bit-precise integers, overflow checks, rotations and saturation beside floats.
#include <stdint.h>
#include <stdio.h>

typedef unsigned _BitInt(256) wide;

static int digit(wide w) {
  switch (w) {
  case 1: return 3;
  case ((wide)1 << 200): return 5;
  default: return (int)(w & 7);
  }
}

static double from_fixed(__int128 v) { return (double)v / 18446744073709551616.0; }

double f(const double *x, int n) {
  double sum = 0.0;
  wide w = 1;
  for (int i = 0; i < 8; i++) {
    int product;
    if (__builtin_mul_overflow(i + 40000, 60000, &product))
      product = -product / 2 + 1;
    uint32_t turned = __builtin_rotateleft32((uint32_t)product, 7) ^ (uint32_t)__builtin_bitreverse16(i);
    __int128 fixed = ((__int128)turned << 40) + __builtin_popcountll(turned) - __builtin_ctz(turned | 1);
    sum += x[i % n] * (digit(w) + from_fixed(fixed));
    w = (w << 50) | (wide)(i & 1);
    if (i == 3)
      w = (wide)1 << 200;
  }
  return sum * sum;
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
