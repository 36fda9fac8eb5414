/* Memory whose release is put off, in derivatives that an exception leaves: what was freed before it was thrown is freed, and
 * what was made is, with its shadow. Leaks and double frees are the sanitizer's to find. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clangxx %{level} -g -fsanitize=address -fno-omit-frame-pointer %include -fpass-plugin=%plugin %s -o %t %runtime && env ASAN_OPTIONS=detect_leaks=1 %t && env BACKSWEEP_TAPE_CHECK=1 %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

#include "backsweep.h"
#include "backsweep_rt.h"

struct Item {
  double value;
  Item *next;
};

static Item *build(const double *x, int n) {
  return n == 0 ? nullptr : new Item{x[0] * x[0], build(x + 1, n - 1)};
}
static double sum_of(const Item *item) { return item ? std::sin(item->value) + 2 * sum_of(item->next) : 0; }
static void drop(Item *item) {
  if (!item) return;
  drop(item->next);
  delete item;
}

// One list is dropped before it is thrown, one by the handler on the way out, one behind.
static double lists(const double *x, int n, int limit) {
  Item *first = build(x, n), *second = nullptr;
  double sum = sum_of(first);
  drop(first);
  try {
    second = build(x, n - 1);
    sum *= sum_of(second);
    if (limit == 1) throw std::runtime_error("lists");
  } catch (...) {
    drop(second);
    throw;
  }
  drop(second);
  return sum;
}

// Memory of its own, some freed before it throws.
static double blocks(const double *x, int n, int limit) {
  double s = 1;
  for (int i = 0; i < n; ++i) {
    std::unique_ptr<double[]> a(new double[i + 1]);
    std::vector<double> b(n);
    for (int k = 0; k <= i; ++k) {
      a[k] = x[k] * s;
      b[k] = std::sin(a[k]);
    }
    for (int k = 0; k <= i; ++k) s += a[k] * b[k];
    if (i == limit) throw std::invalid_argument("blocks");
  }
  return s;
}

static int failures;
static void expect(bool holds, const char *what) {
  if (!holds) std::printf("%s\n", what), failures++;
}

constexpr int N = 4;
using F = double(const double *, int, int);

template <F *f> static void gradient(const double *x, double *dx, int limit) {
  __backsweep_gradient_void((void *)f, x, dx, N, limit);
}
template <F *f> static void halves(const double *x, double *dx, int limit) {
  void *tape = __backsweep_augmented((void *)f, x, dx, N, limit);
  __backsweep_reverse_void((void *)f, x, dx, N, limit, 1.0, tape);
}

template <F *f> static void run(const char *name) {
  void (*modes[])(const double *, double *, int) = {gradient<f>, halves<f>};
  double x[N] = {0.9, 1.1, 0.7, 1.3};
  for (auto mode : modes) {
    double lost[N] = {}, dx[N] = {};
    for (int i = 0; i < 3; ++i) {
      bool thrown = false;
      try {
        mode(x, lost, 1);
      } catch (const std::exception &) {
        thrown = true;
      }
      expect(thrown, name);
    }
    mode(x, dx, -1);
    for (int i = 0; i < N; ++i) {
      double at = x[i], h = 1e-5;
      x[i] = at + h;
      double up = f(x, N, -1);
      x[i] = at - h;
      double down = f(x, N, -1);
      x[i] = at;
      double slope = (up - down) / 2 / h;
      expect(std::fabs(dx[i] - slope) <= 1e-6 * (1 + std::fabs(slope)), name);
    }
  }
}

int main() {
  run<lists>("lists");
  run<blocks>("blocks");
  return failures != 0;
}
