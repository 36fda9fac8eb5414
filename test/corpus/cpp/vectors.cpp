// std::vector grown, copied, moved and nested; algorithms of the standard library.
#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

using Row = std::vector<double>;

static std::vector<Row> multiply(const std::vector<Row> &a, const std::vector<Row> &b) {
  std::vector<Row> c(a.size(), Row(b[0].size(), 0.0));
  for (std::size_t i = 0; i < a.size(); i++)
    for (std::size_t j = 0; j < b[0].size(); j++)
      for (std::size_t k = 0; k < b.size(); k++)
        c[i][j] += a[i][k] * b[k][j];
  return c;
}

extern "C" double f(const double *x, int n) {
  std::vector<Row> m(4, Row(4));
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      m[i][j] = x[(i + j) % n] / (1 + i * j);
  auto power = m;
  for (int i = 0; i < 3; i++)
    power = multiply(power, m);
  Row flat;
  for (const Row &row : power)
    flat.insert(flat.end(), row.begin(), row.end());
  std::transform(flat.begin(), flat.end(), flat.begin(), [](double v) { return v * v + 0.5 * v; });
  std::sort(flat.begin(), flat.end());
  return std::inner_product(flat.begin(), flat.end() - 1, flat.begin() + 1, 0.0) +
         std::accumulate(flat.begin(), flat.end(), 1.0);
}

int main() {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  std::printf("%.12g\n", f(x, 4));
}
