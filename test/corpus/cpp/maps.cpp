// Sparse polynomial arithmetic in std::map, names in std::unordered_map and std::string.
#include <cstdio>
#include <map>
#include <string>
#include <unordered_map>

using Polynomial = std::map<int, double>;

static Polynomial multiply(const Polynomial &p, const Polynomial &q) {
  Polynomial result;
  for (const auto &[i, a] : p)
    for (const auto &[j, b] : q)
      result[i + j] += a * b;
  return result;
}

static double evaluate(const Polynomial &p, double at) {
  double sum = 0.0;
  for (auto term = p.rbegin(); term != p.rend(); ++term) {
    double power = 1.0;
    for (int k = 0; k < term->first; k++)
      power *= at;
    sum += term->second * power;
  }
  return sum;
}

extern "C" double f(const double *x, int n) {
  Polynomial p{{0, x[0]}, {3, x[1 % n]}}, q{{1, x[2 % n]}, {2, 1.0}};
  std::unordered_map<std::string, double> named;
  named["square"] = evaluate(multiply(p, p), x[3 % n]);
  named["mixed, with a name too long for the string itself"] = evaluate(multiply(p, q), 0.5);
  named["square"] += 1.0;
  return named["square"] * named.at("mixed, with a name too long for the string itself") + named.count("none");
}

int main() {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  std::printf("%.12g\n", f(x, 4));
}
