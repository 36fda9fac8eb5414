/* Arithmetic that traps where it overflows, as sanitizers and debug builds have it, counts as any other: what it gives is a number wherever it
   is moved to. */
// RUN: for level in -O0 -O1 -O2 -O3; do \
// RUN:   %clang $level -g -fsanitize=signed-integer-overflow,unsigned-integer-overflow -fno-sanitize-recover=all -I%S/../sources/Inputs \
// RUN:     %include %pass %s %S/../sources/Inputs/check.c -o %t %runtime && %t double 0.63 0.41 0.87 0.52 || exit 1; \
// RUN: done
#include "source.h"
#include <math.h>
#include <stdlib.h>
typedef struct { int *from, *to; double *v; } rec;
static double f(const double *x, int n) {
  rec *r = malloc(sizeof *r);
  r->from = malloc(n * sizeof(int)); r->to = malloc(n * sizeof(int)); r->v = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) { r->from[i] = 3 * i + n; r->v[i] = x[i] * x[i]; }
  for (int i = 0; i < n; i++) r->to[i] = r->from[n - 1 - i];
  double s = 0;
  for (int i = 0; i < n; i++) s += r->v[i] * r->to[i];
  free(r->from); free(r->to); free(r->v); free(r);
  return s;
}
REQUESTS(f)
