/* Rules of the user's that throw, in either sweep: no tape is lost, nor what derivatives made, also where the function itself
   never throws. A tape that the caller keeps stays theirs, but is no good any more. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clangxx %{level} -g -fsanitize=address %include -fpass-plugin=%plugin %s -o %t %runtime && env ASAN_OPTIONS=detect_leaks=1 %t && env BACKSWEEP_TAPE_CHECK=1 %t && not %t again 2>&1 | FileCheck %s && not env BACKSWEEP_TAPE_CHECK=1 %t again 2>&1 | FileCheck %s
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}
// CHECK: backsweep tape: wrong order: '{{.*}}loop{{.*}}' sweeps back over the tape at 0x{{[0-9a-f]+}} again, and an exception has left the sweep before half done [BS205]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>

#include "backsweep.h"
#include "backsweep_rt.h"

extern "C" void __backsweep_reverse_kept(void *, ...);

// The rule throws when it has been called so often, forward or backward; behind that it does not.
static int left = -1;
static void tick() {
  if (left-- == 0) throw std::runtime_error("rule");
}

// Known not to throw.
__attribute__((noinline)) static double cube(double x) noexcept { return x * x * x; }
struct Kept {
  double square, result;
};
static Kept cube_kept(double x) {
  tick();
  return {x * x, x * x * x};
}
static double cube_back(double x, double d, double square) {
  tick();
  return 3 * square * d;
}
extern "C" void *__backsweep_rule_reverse_cube[];
void *__backsweep_rule_reverse_cube[] = {(void *)cube, (void *)cube_kept, (void *)cube_back};

// May throw itself, so that its callers clean up behind it.
__attribute__((noinline)) static double root(double x) {
  if (x < 0) throw std::domain_error("root");
  return std::sqrt(x);
}
static double root_kept(double x) {
  tick();
  return root(x);
}
static double root_back(double x, double d) {
  tick();
  return d / 2 / std::sqrt(x);
}
extern "C" void *__backsweep_rule_reverse_root[];
void *__backsweep_rule_reverse_root[] = {(void *)root, (void *)root_kept, (void *)root_back};

constexpr int N = 5;

static double loop(const double *x, int n) {
  double s = x[0];
  for (int i = 0; i < n && s < 1e9; ++i) s += 0.3 * std::sin(cube(s) + x[i]);
  return s;
}

// Memory that nobody frees where the rule throws but the derivative.
static double heap(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i) {
    double *a = static_cast<double *>(std::malloc((i + 1) * sizeof(double)));
    for (int k = 0; k <= i; ++k) a[k] = x[k] * s;
    s += std::sin(cube(a[i])) * a[0];
    std::free(a);
  }
  return s;
}

static double owned(const double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; ++i) {
    std::unique_ptr<double[]> a(new double[i + 1]);
    for (int k = 0; k <= i; ++k) a[k] = x[k] * s;
    s += std::sin(root(a[i])) * a[0];
  }
  return s;
}

__attribute__((noinline)) static double deep(const double *x, int n) {
  if (n == 0) return x[0];
  double a = deep(x, n - 1) * x[n - 1];
  return cube(std::sin(a)) + a * root(x[0]);
}
static double recursion(const double *x, int n) { return deep(x, n) * x[1]; }

// Without a record: only the tape of split mode.
static double straight(const double *x, int) { return cube(x[0] * root(x[1])) + x[2] * cube(x[3]) * x[4]; }

using F = double(const double *, int);

template <F *f> static void gradient(const double *x, double *dx) {
  __backsweep_gradient_void((void *)f, bs_dup, x, dx, bs_const, N);
}
template <F *f> static void halves(const double *x, double *dx) {
  void *tape = __backsweep_augmented((void *)f, bs_dup, x, dx, bs_const, N);
  __backsweep_reverse_void((void *)f, bs_dup, x, dx, bs_const, N, 1.0, tape);
}
// The tape is the caller's, exception or not.
template <F *f> static void kept(const double *x, double *dx) {
  struct Tape {
    void *tape;
    ~Tape() { bs_rt_tape_free(tape); }
  } own{__backsweep_augmented((void *)f, bs_dup, x, dx, bs_const, N)};
  __backsweep_reverse_kept((void *)f, bs_nofree, bs_dup, x, dx, bs_const, N, 1.0, own.tape);
}

static int bad;
static void expect(bool holds, const char *name, const char *what) {
  if (!holds) std::printf("%s: %s\n", name, what), bad = 1;
}

static size_t held() {
  struct bs_tape_stats stats;
  bs_tape_stats(nullptr, &stats);
  return stats.current;
}

template <F *f> static void run(const char *name, std::initializer_list<void (*)(const double *, double *)> modes) {
  double x[N] = {.9, 1.1, .7, .6, .8};
  for (auto mode : modes) {
    int thrown = 0;
    for (int when = 0; when < 12; ++when) {
      double lost[N] = {}, dx[N] = {};
      size_t before = held();
      left = when;
      try {
        mode(x, lost);
      } catch (const std::runtime_error &) {
        ++thrown;
      }
      left = -1;
      expect(held() == before, name, "something is left on a tape");
      mode(x, dx);
      for (int i = 0; i < N; ++i) {
        double h = 1e-5, at = x[i];
        x[i] = at + h;
        double up = f(x, N);
        x[i] = at - h;
        double slope = (up - f(x, N)) / 2 / h;
        x[i] = at;
        expect(std::fabs(dx[i] - slope) < 1e-6 * (1 + std::fabs(slope)), name, "wrong derivative");
      }
    }
    expect(thrown >= 6, name, "too little is thrown");
  }
}

static void again() {
  double x[N] = {.9, 1.1, .7, .6, .8}, dx[N] = {};
  void *tape = __backsweep_augmented((void *)loop, bs_dup, x, dx, bs_const, N);
  for (left = 2;; left = -1) {
    try {
      __backsweep_reverse_kept((void *)loop, bs_nofree, bs_dup, x, dx, bs_const, N, 1.0, tape);
    } catch (const std::runtime_error &) {
    }
  }
}

int main(int argc, char **) {
  if (argc > 1) again();
  run<loop>("loop", {gradient<loop>, halves<loop>, kept<loop>});
  // A tape with active memory on it is not kept.
  run<heap>("heap", {gradient<heap>, halves<heap>});
  run<owned>("owned", {gradient<owned>, halves<owned>});
  run<recursion>("recursion", {gradient<recursion>, halves<recursion>, kept<recursion>});
  run<straight>("straight", {gradient<straight>, halves<straight>, kept<straight>});
  return bad;
}
