/* A struct read through a pointer to another one, or through the other arm of a union: the exponent of a float is counted up as if it were
 * a member of its own. That members are what they are declared to be is believed only where no integers are laid over floats. */
// RUN: %refused %t.o %clangxx -g -O0 -fno-strict-aliasing %include %pass -c %s > %t.text && %filecheck %s < %t.text
// RUN: %refused %t.o %clangxx -g -O2 -fno-strict-aliasing %include %pass -c %s > %t.text && %filecheck %s < %t.text
#include "backsweep.h"
#include <memory>
#include <vector>

struct Item {
  int number;
  double value;
};
struct Words {
  int number, padding, low, high;
};

static void twice(Words *words) { words->high += 1 << 20; }

double by_pointer(const double *x, int n) {
  std::vector<Item> items(n);
  for (int i = 0; i < n; i++)
    items[i] = Item{i, x[i]};
  double sum = 0;
  for (int i = 0; i < n; i++) {
    twice((Words *)&items[i]);
    // CHECK-DAG: overlaid_members.reject.cpp:[[@LINE+1]]:{{.*}}error: backsweep: a float is made here of an integer that was computed from the bits
    sum += items[i].value * items[i].value;
  }
  return sum;
}

struct Number {
  double value;
};
struct Halves {
  int low, high;
};
union Either {
  Number number;
  Halves halves;
};

double by_union(const double *x, int n) {
  std::unique_ptr<Either[]> all(new Either[n]);
  double sum = 0;
  for (int i = 0; i < n; i++)
    all[i].number.value = x[i];
  for (int i = 0; i < n; i++) {
    all[i].halves.high += 1 << 20;
    // CHECK-DAG: overlaid_members.reject.cpp:[[@LINE+1]]:{{.*}}error: backsweep: a float is made here of an integer that was computed from the bits
    sum += all[i].number.value * all[i].number.value;
  }
  return sum;
}

void request(double *x, double *dx, int n) {
  __backsweep_gradient_void((void *)by_union, x, dx, n);
  __backsweep_gradient_void((void *)by_pointer, x, dx, n);
}
