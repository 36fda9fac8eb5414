// Forward mode over gradients that an exception may leave: memory that they free when they are over, with its shadows, and
// records. Leaks and double frees are the sanitizer's to find.
// DEFINE: %{level} =
// DEFINE: %{check} = %clangxx %{level} -g -fsanitize=address -fno-omit-frame-pointer %include -fpass-plugin=%plugin %s -o %t %runtime && env ASAN_OPTIONS=detect_leaks=1 %t && env BACKSWEEP_TAPE_CHECK=1 %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

#include "backsweep.h"
#include "backsweep_rt.h"

constexpr int N = 6;

static double records(double *x, int n) {
  double y = x[0];
  for (int i = 0; i < n && y < 9; ++i) {
    if (x[i] < 0) throw 1;
    y = std::sin(y * x[i]) + 0.2 * y * y;
  }
  return y;
}

static double blocks(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i) {
    std::unique_ptr<double[]> a(new double[i + 1]);
    for (int k = 0; k <= i; ++k) a[k] = x[k] * s;
    if (x[i] < 0) throw 1;
    for (int k = 0; k <= i; ++k) s += 0.1 * std::sin(a[k]) * a[k];
  }
  return s;
}

// Allocated by what may throw itself.
static double vectors(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i) {
    std::vector<double> a(i + 1);
    for (int k = 0; k <= i; ++k) a.at(k) = x[k] * s;
    if (x[i] < 0) throw 1;
    for (int k = 0; k <= i; ++k) s += 0.1 * std::sin(a[k]) * a[k];
  }
  return s;
}

// A global with a shadow on the heap.
static double table[5000];
static double tabled(double *x, int n) {
  double s = 0;
  for (int i = 0; i < 5000; ++i) {
    table[i] = x[i % n] * x[(i + 1) % n];
    if (x[i % n] < 0) throw 1;
  }
  for (int i = 0; i < 5000; i += 11) s += 1e-2 * std::sin(table[i]) * table[i];
  return s;
}

// Without a record, beside a call that may throw for all that is known.
static double printing(double *x, int) {
  double *a = static_cast<double *>(std::malloc(2 * sizeof(double)));
  a[0] = x[0] * x[1];
  a[1] = x[2] * a[0];
  std::puts("printing");
  double y = std::sin(a[0]) * a[1];
  std::free(a);
  return y;
}

static double caught(double *x, int n) {
  double s = 0, y = 1;
  for (int i = 0; i < 2 * n && y < 40; ++i) {
    try {
      if (x[i % n] < 0.6) throw 4;
      y += y * x[i % n];
      s += y;
    } catch (int) {
      s += std::cos(x[i % n] * y);
    }
  }
  return s;
}

static int failures;

static void expect(const char *what, int i, double got, double wanted, double tolerance) {
  if (std::fabs(got - wanted) <= tolerance * (1 + std::fabs(wanted))) return;
  std::printf("%s %d: %.12g instead of %.12g\n", what, i, got, wanted);
  failures++;
}

static double held() {
  struct bs_tape_stats stats;
  bs_tape_stats(bs_tape_of_thread(), &stats);
  return static_cast<double>(stats.current);
}

static void start(double *x) {
  for (int i = 0; i < N; ++i) x[i] = 0.6 + 0.3 * std::sin(1 + 1.7 * i);
}

template <double (*f)(double *, int)> void gradient(double *x, double *dx, int n) {
  __backsweep_gradient((void *)f, bs_dup, x, dx, bs_const, n);
}

// The Hessian times a vector, against differences of gradients; before that an exception leaves both derivatives.
template <double (*f)(double *, int)> void check(const char *name, bool throws) {
  double x[N], v[N], along[N], dx[N], hv[N], up[N] = {}, down[N] = {}, h = 1e-5, before = held();
  for (int i = 0; i < N; ++i) v[i] = std::cos(0.7 * i);
  for (int bad = 1; bad >= 0; --bad) {
    start(x);
    if (bad != 0 && throws) x[N - 2] = -1;
    for (int i = 0; i < N; ++i) along[i] = v[i], dx[i] = hv[i] = 0;
    bool left = false;
    try {
      __backsweep_tangent((void *)gradient<f>, bs_dup, x, along, bs_dup, dx, hv, bs_const, N);
    } catch (int) {
      left = true;
    }
    expect(name, -1, left, bad != 0 && throws, 0);
    expect(name, -2, held(), before, 0);
  }
  for (int side = -1; side <= 1; side += 2) {
    start(x);
    for (int i = 0; i < N; ++i) x[i] += side * h * v[i];
    gradient<f>(x, side > 0 ? up : down, N);
  }
  for (int i = 0; i < N; ++i) expect(name, i, hv[i], (up[i] - down[i]) / (2 * h), 1e-6);
}

int main() {
  check<records>("records", true);
  check<blocks>("blocks", true);
  check<vectors>("vectors", true);
  check<tabled>("tabled", true);
  check<printing>("printing", false);
  check<caught>("caught", false);
  return failures != 0;
}
