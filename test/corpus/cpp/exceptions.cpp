// Throwing and catching inside the computation, cleanups on the way, rethrow, noexcept.
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <vector>

struct Negative : std::domain_error {
  double value;
  explicit Negative(double v) : std::domain_error("negative"), value(v) {}
};

static double root(double v) {
  if (v < 0.0)
    throw Negative(v);
  return std::sqrt(v);
}

static double guarded(double v) {
  std::vector<double> work(3, v);
  try {
    work[1] = root(work[0]);
  } catch (const Negative &problem) {
    work[1] = 0.5 * problem.value * problem.value;
    if (problem.value < -2.0)
      throw;
  }
  return work[0] + work[1] * work[2];
}

static double outer(double v) noexcept {
  try {
    return guarded(v);
  } catch (const std::exception &) {
    return 0.1 * v;
  } catch (...) {
    return 0.0;
  }
}

extern "C" double f(const double *x, int n) {
  double sum = 0.0;
  for (int i = 0; i < 6; i++)
    sum += outer(x[i % n] * (i + 1));
  try {
    sum += root(-3.0 - x[0]);
  } catch (Negative &problem) {
    sum -= problem.value;
  }
  return sum;
}

int main() {
  double x[4] = {0.5, -0.75, 0.75, 1.25};
  std::printf("%.12g\n", f(x, 4));
}
