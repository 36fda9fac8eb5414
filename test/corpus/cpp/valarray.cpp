// std::valarray with slices, masks and its expression objects.
#include <cstdio>
#include <valarray>

extern "C" double f(const double *x, int n) {
  std::valarray<double> v(12);
  for (int i = 0; i < 12; i++)
    v[i] = x[i % n] + 0.1 * i;
  std::valarray<double> even = v[std::slice(0, 6, 2)], odd = v[std::slice(1, 6, 2)];
  std::valarray<double> mixed = std::exp(-even * even) + odd / (1.0 + odd * odd);
  v[std::slice(3, 3, 3)] *= std::valarray<double>(mixed[std::slice(0, 3, 1)]);
  v[v > 1.0] = std::valarray<double>(x[0], 12)[v > 1.0];
  return (v * v).sum() + mixed.sum() + v.cshift(2)[0];
}

int main() {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  std::printf("%.12g\n", f(x, 4));
}
