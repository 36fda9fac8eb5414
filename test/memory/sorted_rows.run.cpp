// Rows of a product of matrices put behind each other and sorted: the sort calls itself and is given memory that copies join with
// all other rows.
// RUN: %clang -O1 -c %root/test/sources/Inputs/check.c -o %t.check.o
// RUN: %clangxx -std=c++20 -O0 -g %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O1 -g %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O2 -g %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O3 -g %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O2 -ffast-math -g %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <algorithm>
#include <numeric>
#include <vector>
namespace {
using Row = std::vector<double>;
std::vector<Row> multiply(const std::vector<Row> &a, const std::vector<Row> &b) {
  std::vector<Row> c(a.size(), Row(b[0].size(), 0.0));
  for (std::size_t i = 0; i < a.size(); i++)
    for (std::size_t j = 0; j < b[0].size(); j++)
      for (std::size_t k = 0; k < b.size(); k++)
        c[i][j] += a[i][k] * b[k][j];
  return c;
}
double f(const double *x, int n) {
  std::vector<Row> m(4, Row(4));
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++)
      m[i][j] = x[(i + j) % n] / (1 + i * j);
  auto power = m;
  for (int i = 0; i < 3; i++) power = multiply(power, m);
  Row flat;
  for (const Row &row : power) flat.insert(flat.end(), row.begin(), row.end());
  std::sort(flat.begin(), flat.end());
  double sum = 0;
  for (std::size_t i = 0; i < flat.size(); i++) sum += flat[i] * flat[i] * (i + 1) * 1e-4;
  return sum;
}
}
REQUESTS(f)
