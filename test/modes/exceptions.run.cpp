/* Exceptions: thrown out of derivatives in every mode, caught inside, out of recursion; the tape is as it was. */
// RUN: %clangxx -O0 -g %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clangxx -O3 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: env BACKSWEEP_OPTIONS=resident=always %clangxx -O2 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clangxx -O1 -fsanitize=address %include -fpass-plugin=%plugin %s -o %t %runtime && env BACKSWEEP_TAPE_CHECK=1 %t
#include <cmath>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <vector>

#include "backsweep.h"
#include "backsweep_rt.h"

static int cleaned;
struct Guard { ~Guard() { ++cleaned; } };

// The library throws.
static double bounds(const double *x, int n, int limit) {
  Guard g;
  std::vector<double> v(x, x + n);
  double s = 0;
  for (int i = 0; i < (limit < 0 ? n : limit); ++i) s += std::sin(v.at(i)) * v.at(i);
  return s;
}

// The function throws, with records on the tape.
static double steps(const double *x, int n, int limit) {
  Guard g;
  double s = 1;
  for (int i = 0; i < 50; ++i) {
    s = std::sin(s * x[i % n]) + x[0];
    if (i == limit) throw std::runtime_error("steps");
  }
  return s;
}

// Memory with shadows is freed on the way out.
static double memory(const double *x, int n, int limit) {
  Guard g;
  std::unique_ptr<double[]> a(new double[n]);
  std::vector<double> b(n);
  double s = 0;
  for (int i = 0; i < n; ++i) {
    a[i] = x[i] * x[i];
    b[i] = std::exp(a[i]);
    if (i == limit) throw std::invalid_argument("memory");
  }
  for (int i = 0; i < n; ++i) s += a[i] * b[i];
  return s;
}

// Derivatives of called functions are left, too.
static double deep(const double *x, int n, int depth, int limit) {
  if (depth == limit) throw std::runtime_error("deep");
  if (depth == 12) return x[0];
  double below = deep(x, n, depth + 1, limit);
  return std::sin(below * x[depth % n]) + below * x[1];
}
static double recursive(const double *x, int n, int limit) {
  Guard g;
  return deep(x, n, 0, limit) * x[2];
}

// Thrown and caught inside, by type, in a loop.
static double caught(const double *x, int n, int limit) {
  double s = 0;
  for (int i = 0; i < 4 * n; ++i) {
    double y = x[i % n] * (i + 1);
    try {
      Guard g;
      s += y * 0.5;
      if (i % 3 == 1) throw 7;
      if (i % 3 == 2) throw std::runtime_error("caught");
      s += std::exp(-y);
    } catch (int k) {
      s += 0.01 * k * y * y;
    } catch (const std::exception &) {
      s = std::sin(s);
    }
  }
  if (limit >= 0) throw std::logic_error("after");
  return s;
}

// Caught, thrown again, and not caught by all.
static double again(const double *x, int n, int limit) {
  Guard g;
  double s = x[0];
  try {
    for (int i = 0; i < n; ++i) {
      try {
        s = std::sin(s) + x[i];
        if (i == 1) throw 1.5f;
        if (i == (limit < 0 ? 2 : limit)) throw std::runtime_error("again");
      } catch (float) {
        s *= x[2];
      } catch (...) {
        s *= x[1];
        throw;
      }
    }
  } catch (const std::runtime_error &) {
    if (limit >= 0) throw;
    s *= x[0];
  }
  return s;
}

// What the library throws because there is too little, caught inside.
static double refused(const double *x, int n, int limit) {
  double s = x[0];
  std::vector<int> places;
  try {
    places.reserve(std::size_t(-1) / 2);
    s = x[1] * x[1];
  } catch (const std::length_error &) {
    s *= x[1] * s;
  }
  if (limit >= 0) places.at(3) = 1;
  return s * x[n - 1];
}

// An exception with a number in it, thrown here and by a callee that hands out active memory.
struct Code : std::exception {
  int number;
  explicit Code(int number) : number(number) {}
};
struct Item {
  double value;
  Item *next;
};
static Item *chain(const double *x, int n, int depth, int limit) {
  if (depth == limit) throw Code(42);
  if (depth == n) return nullptr;
  Item *next = chain(x, n, depth + 1, limit);
  return new Item{x[depth] * x[0], next};
}
static void drop(Item *item) {
  if (!item) return;
  drop(item->next);
  delete item;
}
static double list(const double *x, int n, int limit) {
  Item *first = chain(x, n, 0, limit);
  double s = 1;
  for (Item *item = first; item; item = item->next) s = std::sin(item->value * s) + s;
  drop(first);
  if (limit == 9) throw Code(9);
  return s;
}

// A global with a shadow on the heap.
static double table[5000];
static double tabled(const double *x, int n, int limit) {
  Guard g;
  double s = 0;
  for (int i = 0; i < 5000; ++i) {
    table[i] = x[i % n] * (1 + 1e-4 * i);
    if (i == limit) throw std::runtime_error("tabled");
  }
  for (int i = 0; i < 5000; i += 7) s += 1e-3 * table[i] * table[i];
  return s;
}

static long held() {
  char **tape = reinterpret_cast<char **>(bs_tape_of_thread());
  return tape[0] - tape[5];
}

using F = double(const double *, int, int);
static double *point(double *x) {
  const double from[4] = {0.9, 1.1, 0.7, 1.3};
  for (int i = 0; i < 4; ++i) x[i] = from[i];
  return x;
}

template <F *f> static void reverse(double *dx, int limit) {
  double x[4];
  __backsweep_gradient_void((void *)f, point(x), dx, 4, limit);
}
template <F *f> static void halves(double *dx, int limit) {
  double x[4];
  void *tape = __backsweep_augmented((void *)f, point(x), dx, 4, limit);
  __backsweep_reverse_void((void *)f, x, dx, 4, limit, 1.0, tape);
}
template <F *f> static void forward(double *dx, int limit) {
  double x[4];
  for (int i = 0; i < 4; ++i) {
    double e[4] = {};
    e[i] = 1;
    dx[i] += __backsweep_tangent((void *)f, point(x), e, 4, limit);
  }
}

static int bad;
static void expect(bool holds, const char *name, const char *what) {
  if (!holds) std::printf("%s: %s\n", name, what), bad = 1;
}

// The function throws at the limits `first` and `second`.
template <F *f> static void run(const char *name, int cleanups, int first, int second) {
  void (*modes[])(double *, int) = {reverse<f>, halves<f>, forward<f>};
  double x[4];
  point(x);
  for (auto mode : modes) {
    double dx[4] = {}, once_more[4] = {};
    mode(dx, -1);
    for (int i = 0; i < 4; ++i) {
      double h = 1e-5, k = x[i];
      x[i] = k + h;
      double up = f(x, 4, -1);
      x[i] = k - h;
      double down = f(x, 4, -1);
      x[i] = k;
      expect(std::fabs(dx[i] - (up - down) / 2 / h) < 1e-6, name, "wrong derivative");
    }
    for (int limit : {first, second, first}) {
      double lost[4] = {};
      long before = held();
      int so_far = cleaned;
      bool thrown = false;
      try {
        Guard own;
        mode(lost, limit);
      } catch (const std::exception &) {
        thrown = true;
      }
      expect(thrown, name, "nothing is thrown");
      expect(held() == before, name, "the tape is not as it was");
      expect(cleaned - so_far == 1 + cleanups, name, "not cleaned up");
    }
    mode(once_more, -1);
    for (int i = 0; i < 4; ++i) expect(dx[i] == once_more[i], name, "another derivative after an exception");
  }
}

int main() {
  run<bounds>("bounds", 1, 5, 9);
  run<steps>("steps", 1, 0, 17);
  run<memory>("memory", 1, 0, 3);
  run<recursive>("recursive", 1, 1, 11);
  run<caught>("caught", 16, 0, 0);
  run<again>("again", 1, 0, 3);
  run<refused>("refused", 0, 0, 0);
  run<list>("list", 0, 2, 9);
  run<tabled>("tabled", 1, 0, 4000);
  return bad;
}
