// std::complex: Durand-Kerner roots of a polynomial, polar form, float and double.
#include <complex>
#include <cstdio>

using C = std::complex<double>;

extern "C" double f(const double *x, int n) {
  const C coefficient[4] = {{1.0 + x[0], 0.2}, {x[1 % n], x[2 % n]}, {-0.5, x[3 % n]}, {1.0, 0.0}};
  C root[3] = {{0.4, 0.9}, {-0.65, 0.72}, {-0.9, -0.3}};
  for (int t = 0; t < 12; t++)
    for (int i = 0; i < 3; i++) {
      C value = coefficient[3], others = 1.0;
      for (int k = 2; k >= 0; k--)
        value = value * root[i] + coefficient[k];
      for (int j = 0; j < 3; j++)
        if (j != i)
          others *= root[i] - root[j];
      root[i] -= value / others;
    }
  std::complex<float> narrow(root[0]);
  double sum = std::norm(narrow);
  for (const C &r : root)
    sum += std::abs(r) * std::real(std::exp(r)) + std::arg(std::polar(1.0 + std::norm(r), 0.3));
  return sum;
}

int main() {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  std::printf("%.6g\n", f(x, 4));
}
