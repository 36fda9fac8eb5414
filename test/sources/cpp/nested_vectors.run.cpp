// Vectors of vectors: grown, inserted into, copied, erased and swapped.
// RUN: %levels %s double 0.9 1.1 0.7 1.3
#include <vector>
#include <algorithm>
#include <cmath>
#include "source.h"
static double f(const double *x, int n) {
  std::vector<std::vector<double>> g(3, std::vector<double>(n));
  for (int i = 0; i < 3; i++) for (int j = 0; j < n; j++) g[i][j] = x[j] * (i + 1) + (i == j);
  g.push_back(g[1]); g.insert(g.begin() + 1, g[0]); g.erase(g.begin());
  std::swap(g[0], g[2]);
  for (auto &r : g) { r.push_back(x[0] * r[0]); r.insert(r.begin(), std::sin(r[1])); r.erase(r.begin() + 1); }
  double s = 0; for (auto &r : g) for (size_t k = 0; k < r.size(); k++) s += r[k] * r[k] * (k + 1) * 0.1;
  return s;
}
REQUESTS(f)
