// Loops that walk through memory with pointers and iterators: forwards, backwards, by rows, by records, several at once, left early, and from
// where another loop came to stand. None records where it stands, nor what it finds in memory that stays as it is.
// RUN: %clangxx -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clangxx -O3 %pass %include %s -o %t.O3 %runtime -lm && %t.O3
// RUN: %clangxx -O2 -fsanitize=address %pass %include %s -o %t.asan %runtime -lm && %t.asan
// RUN: %clangxx -O1 -Xclang -disable-llvm-passes %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: env BACKSWEEP_OPTIONS=disable=walks %clangxx -O1 %pass %include %s -o %t.without %runtime -lm && %t.without
#include <cmath>
#include <cstdio>
#include <numeric>
#include <vector>

#include "backsweep.h"

namespace {

constexpr int N = 24, ROWS = 4;

// CHECK-LABEL: plan gradient {{.*}}cubes
// CHECK-NOT: records
// CHECK-LABEL: plan gradient
double cubes(const double *x) {
  const std::vector<double> all(x, x + N);
  double sum = 0;
  for (double one : all)
    sum += one * one * one;
  return std::inner_product(all.begin(), all.end(), all.rbegin(), sum);
}

double back_and_forth(const double *x) {
  double all[N], sum = 0;
  double *to = all + N;
  for (const double *from = x; from != x + N; from += 2) {
    *--to = from[0] * from[1];
    *--to = from[0] + *from;
  }
  do {
    sum = 0.9 * sum + *to * *to;
  } while (to++ != all + N - 1);
  return sum + to[-1];
}

double rows(const double *x, int width) {
  const double *row = x;
  double last[N] = {}, *out = last;
  for (int i = 0; i < ROWS; i++, row += width) {
    double sum = 1;
    for (const double *at = row; at < row + width; ++at)
      sum *= 1 + 0.1 * *at * *out;
    *out++ += sum;
    *out = sum * row[1];
  }
  return *out * last[0] + last[2];
}

struct Particle {
  double place, speed;
  int kind;
};

double records(const double *x) {
  std::vector<Particle> all;
  for (const double *at = x; at != x + N; at += 2)
    all.push_back({at[0], at[1], int(at - x) % 3});
  for (Particle &one : all)
    if (one.kind != 1) {
      one.place += 0.1 * one.speed * one.place;
      one.speed *= one.place;
    }
  double sum = 0;
  for (auto one = all.rbegin(); one != all.rend(); ++one)
    sum += one->place * one->speed * one->kind + one->place;
  return sum;
}

double until_large(const double *x) {
  double copy[N], *to = copy;
  const double *from = x;
  while (from != x + N) {
    *to = *from * *from + 0.1;
    if (*to > 0.9)
      break;
    ++to, ++from;
  }
  double sum = *to * double(from - x);
  // Only those that are kept move on.
  double *kept = copy;
  for (const double *at = x; at != x + N; ++at)
    if (*at > 0)
      *kept++ = *at * *at;
  for (const double *at = copy; at != kept; ++at)
    sum += *at * at[0];
  return sum;
}

template <class Function> bool check(const char *name, Function f, const double *dx) {
  double x[N];
  bool right = true;
  for (int i = 0; i < N; i++)
    x[i] = std::sin(1 + 5 * i);
  for (int i = 0; i < N; i++) {
    const double at = x[i], h = 1e-6;
    x[i] = at + h;
    const double above = f(x);
    x[i] = at - h;
    const double difference = (above - f(x)) / (2 * h);
    x[i] = at;
    if (!(std::fabs(difference - dx[i]) <= 1e-7 * (1 + std::fabs(difference)))) {
      std::printf("%s by number %d: %.10g, by differences %.10g\n", name, i, dx[i], difference);
      right = false;
    }
  }
  return right;
}

template <class Gradient, class Function> bool compare(const char *name, Gradient gradient, Function f) {
  double x[N], dx[N] = {};
  for (int i = 0; i < N; i++)
    x[i] = std::sin(1 + 5 * i);
  gradient(x, dx);
  return check(name, f, dx);
}

} // namespace

#define COMPARE(f) compare(#f, [](double *x, double *dx) { __backsweep_gradient((void *)f, bs_dup, x, dx); }, f)

int main() {
  bool right = COMPARE(cubes);
  right &= COMPARE(back_and_forth);
  right &= compare("rows", [](double *x, double *dx) { __backsweep_gradient((void *)rows, bs_dup, x, dx, N / ROWS); },
                   [](const double *x) { return rows(x, N / ROWS); });
  right &= COMPARE(records);
  right &= COMPARE(until_large);
  return !right;
}
