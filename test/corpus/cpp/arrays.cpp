// std::array and std::tuple by value, structured bindings, constexpr tables.
#include <array>
#include <cmath>
#include <cstdio>
#include <tuple>

constexpr std::array<double, 5> weights = [] {
  std::array<double, 5> w{};
  for (int i = 0; i < 5; i++)
    w[i] = 1.0 / (1 + i * i);
  return w;
}();

static std::tuple<double, double> rotate(const std::tuple<double, double> &p, double angle) {
  const auto [a, b] = p;
  return {a * std::cos(angle) - b * std::sin(angle), a * std::sin(angle) + b * std::cos(angle)};
}

static std::array<double, 5> window(const double *x, int n, int from) {
  std::array<double, 5> w;
  for (int i = 0; i < 5; i++)
    w[i] = x[(from + i) % n] * weights[i];
  return w;
}

extern "C" double f(const double *x, int n) {
  double sum = 0.0;
  for (int from = 0; from < 3; from++)
    for (double v : window(x, n, from)) {
      auto [a, b] = rotate({v, sum}, x[0]);
      sum += 0.1 * a * b + v;
    }
  return sum;
}

int main() {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  std::printf("%.12g\n", f(x, 4));
}
