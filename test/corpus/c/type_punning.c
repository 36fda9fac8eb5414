// Doubles that travel as integers: copies through i64, memcpy of bytes, a union, a bit trick on the exponent.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef union {
  double real;
  uint64_t bits;
  struct {
    uint32_t low, high;
  };
} Cell;

static void swap_bits(uint64_t *p, uint64_t *q) {
  *p ^= *q;
  *q ^= *p;
  *p ^= *q;
}

static double times_four(double value) {
  uint64_t bits;
  memcpy(&bits, &value, sizeof bits);
  bits += (uint64_t)2 << 52;
  memcpy(&value, &bits, sizeof value);
  return value;
}

double f(const double *x, int n) {
  Cell cells[4];
  for (int i = 0; i < 4; i++)
    cells[i].real = x[i % n] * x[i % n] + 1.0;
  uint64_t kept = cells[3].bits;
  cells[3].bits = cells[0].bits;
  cells[0].bits = kept;
  double pair[2] = {cells[1].real, cells[2].real};
  uint64_t raw[2];
  memcpy(raw, pair, sizeof raw);
  swap_bits(&raw[0], &raw[1]);
  memcpy(pair, raw, sizeof pair);
  Cell halves = {.low = cells[3].low, .high = cells[3].high};
  return pair[0] * 3.0 + pair[1] + cells[0].real * halves.real + times_four(cells[1].real);
}

int main(void) {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  printf("%.12g\n", f(x, 4));
}
