/* A struct read through a pointer to another one: the exponent of a float is counted up as if it were a member of its own. That
 * members are what they are declared to be is believed only where no object is read as two structs. */
/* A number shows in the shadow where only part of it was overwritten, in either mode, and the program ends. */
// DEFINE: %{level} =
// DEFINE: %{mode} =
// DEFINE: %{build} = %clangxx -g %{level} %{mode} -fno-strict-aliasing %include %pass %s -o %t %runtime
// DEFINE: %{check} = %{build} && %not %t 2>&1 | %filecheck %s && %not %t union 2>&1 | %filecheck %s
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// REDEFINE: %{mode} = -DFORWARD
// RUN: %{check}
// REDEFINE: %{level} = -O0
// RUN: %{check}
// CHECK: part of a number{{.*}} [BS212]
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
    sum += all[i].number.value * all[i].number.value;
  }
  return sum;
}

#ifdef FORWARD
#define REQUEST(f, x, dx, n) __backsweep_tangent((void *)f, x, dx, n)
#else
#define REQUEST(f, x, dx, n) __backsweep_gradient_void((void *)f, x, dx, n)
#endif

int main(int count, char **) {
  double x[3] = {0.5, 1.5, -0.7}, dx[3] = {1, 1, 1};
  if (count > 1)
    REQUEST(by_union, x, dx, 3);
  else
    REQUEST(by_pointer, x, dx, 3);
}
