// Vectors of vectors: grown, inserted into, copied, erased and swapped.
// RUN: %clang -O1 -c %S/../Inputs/check.c -o %t.check.o
// RUN: %clangxx -std=c++20 -O0 -g %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t double 0.9 1.1 0.7 1.3
// RUN: %clangxx -std=c++20 -O1 %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t double 0.9 1.1 0.7 1.3
// RUN: %clangxx -std=c++20 -O3 %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t double 0.9 1.1 0.7 1.3
// RUN: %clangxx -std=c++20 -O2 -fsanitize=address %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime
// RUN: %t double 0.9 1.1 0.7 1.3
#include "source.h"

#include <algorithm>
#include <cmath>
#include <vector>

static double f(const double *x, int n) {
  std::vector<std::vector<double>> rows(3, std::vector<double>(n));
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < n; j++)
      rows[i][j] = x[j] * (i + 1) + (i == j);
  rows.push_back(rows[1]);
  rows.insert(rows.begin() + 1, rows[0]);
  rows.erase(rows.begin());
  std::swap(rows[0], rows[2]);
  for (auto &row : rows) {
    row.push_back(x[0] * row[0]);
    row.insert(row.begin(), std::sin(row[1]));
    row.erase(row.begin() + 1);
  }
  double sum = 0;
  for (auto &row : rows)
    for (size_t k = 0; k < row.size(); k++)
      sum += row[k] * row[k] * (k + 1) * 0.1;
  return sum;
}

REQUESTS(f)
