// RUN: %levels %s double 0.63 0.41 0.87 0.52
// Arrays of doubles that are handed over as integers, kept as such in structs and taken out again. A member that is declared to be an
// integer may still be the bits of a double then, wherever the program says so.
#include "source.h"

#include <stdint.h>
#include <stdlib.h>

struct record {
  int64_t bits;
  int key;
};

static void put(struct record *records, const int64_t *x, int n) {
  for (int i = 0; i < n; i++) {
    records[i].bits = x[i];
    records[i].key = i;
  }
}

static void get(const struct record *records, int64_t *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = records[n - 1 - i].bits;
}

static double f(const double *x, int n) {
  struct record *records = malloc(n * sizeof *records);
  double *y = malloc(n * sizeof *y), sum = 0;
  put(records, (const int64_t *)x, n);
  get(records, (int64_t *)y, n);
  for (int i = 0; i < n; i++)
    sum += y[i] * y[i] * (i + 1);
  free(records);
  free(y);
  return sum;
}
REQUESTS(f)
