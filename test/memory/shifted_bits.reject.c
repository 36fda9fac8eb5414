// Bits of floats that are chosen among as integers, or kept shifted so that none is lost, are no lengths.
// RUN: not %clang -O0 %include %pass -c %s -DPRIMAL=chosen -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 %include %pass -c %s -DPRIMAL=chosen -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O0 %include %pass -c %s -DPRIMAL=shifted -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 %include %pass -c %s -DPRIMAL=shifted -o %t.o 2>&1 | FileCheck %s
#include "backsweep.h"
#include <stdint.h>
#include <string.h>

// CHECK: bits of an active value
double chosen(const double *x, int n) {
  uint64_t kept[8];
  for (int i = 0; i < n; i++) {
    uint64_t a, b;
    memcpy(&a, x + i, 8);
    memcpy(&b, x + (i + 1) % n, 8);
    kept[i] = a < b ? a : b;
  }
  double sum = 0;
  for (int i = 0; i < n; i++) {
    double v;
    memcpy(&v, kept + (i * 3) % n, 8);
    sum += v * v * (i + 1);
  }
  return sum;
}

double shifted(const double *x, int n) {
  uint64_t kept[8];
  for (int i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, x + i, 8);
    if (bits >> 62)
      __builtin_unreachable();
    kept[i] = bits << 2;
  }
  double sum = 0;
  for (int i = 0; i < n; i++) {
    uint64_t bits = kept[(i * 3) % n] >> 2;
    double v;
    memcpy(&v, &bits, 8);
    sum += v * v * (i + 1);
  }
  return sum;
}

void gradient(const double *x, double *dx, int n) { __backsweep_gradient_void((void *)PRIMAL, x, dx, n); }
