// Storage in 16 bits, both formats; sums in single precision.
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Debian 12's libgcc has no conversion to bfloat; this is what newer ones do (NaN aside).
__attribute__((weak)) __bf16 __truncsfbf2(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  uint16_t rounded = (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
  __bf16 result;
  memcpy(&result, &rounded, sizeof result);
  return result;
}

static float dot(const _Float16 *a, const __bf16 *b, int n) {
  float sum = 0.0f;
  for (int i = 0; i < n; i++)
    sum += (float)a[i] * (float)b[i];
  return sum;
}

double f(const double *x, int n) {
  _Float16 a[16];
  __bf16 b[16];
  for (int i = 0; i < 16; i++) {
    a[i] = (_Float16)(x[i % n] * 0.5);
    b[i] = (__bf16)(float)(x[(i + 1) % n] + 1.0);
  }
  _Float16 scale = a[0] * a[1] + (_Float16)1.0;
  a[2] -= scale;
  return dot(a, b, 16) + (double)scale + (a[2] < a[3] ? 1.0 : 2.0) * x[0];
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.3g\n", f(x, 4));
}
