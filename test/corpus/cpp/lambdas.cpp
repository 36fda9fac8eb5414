// Lambdas by value and by reference, std::function, a generic lambda, a fixed-point iteration over them.
#include <cmath>
#include <cstdio>
#include <functional>

static double iterate(const std::function<double(double)> &step, double start, int count) {
  while (count-- > 0)
    start = step(start);
  return start;
}

extern "C" double f(const double *x, int n) {
  double decay = 0.3 + 0.1 * x[0], total = 0.0;
  auto accumulate = [&total](auto value) { total += value * value; };
  auto step = [decay, shift = x[1 % n]](double z) { return std::cos(decay * z) + shift; };
  accumulate(iterate(step, x[2 % n], 7));
  accumulate(static_cast<float>(x[3 % n]));
  std::function<double(double)> chain = step;
  for (int i = 0; i < 3; i++)
    chain = [chain, i](double z) { return chain(z) / (2.0 + i); };
  return total + chain(x[0]);
}

int main() {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  std::printf("%.12g\n", f(x, 4));
}
