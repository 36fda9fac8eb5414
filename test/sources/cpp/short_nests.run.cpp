// Small matrices as templates: triangular nests over std::array, range-based loops in loops, powers of a constant table.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1 -0.6 0.2
#include "source.h"

#include <array>
#include <cmath>
#include <cstddef>

namespace {

template <std::size_t N> using Vector = std::array<double, N>;
template <std::size_t N> using Matrix = std::array<Vector<N>, N>;

template <std::size_t N> double determinant(Matrix<N> m) {
  double d = 1;
  for (std::size_t k = 0; k < N; k++) {
    for (std::size_t i = k + 1; i < N; i++) {
      const double q = m[i][k] / m[k][k];
      for (std::size_t j = k; j < N; j++)
        m[i][j] -= q * m[k][j];
    }
    d *= m[k][k];
  }
  return d;
}

template <std::size_t N> Vector<N> solveLower(const Matrix<N> &l, Vector<N> b) {
  for (std::size_t i = 0; i < N; i++) {
    for (std::size_t j = 0; j < i; j++)
      b[i] -= l[i][j] * b[j];
    b[i] /= l[i][i];
  }
  return b;
}

constexpr std::array<double, 5> nodes = {-0.9061798459386640, -0.5384693101056831, 0, 0.5384693101056831, 0.9061798459386640};

// The sum of Legendre's polynomials at fixed nodes.
template <std::size_t N> double legendre(const Vector<N> &c) {
  double sum = 0;
  for (double t : nodes) {
    double before = 0, p = 1, value = 0;
    int degree = 0;
    for (double each : c) {
      value += each * p;
      const double next = ((2 * degree + 1) * t * p - degree * before) / (degree + 1);
      before = p;
      p = next;
      degree++;
    }
    sum += value * value;
  }
  return sum;
}

double f(const double *x, int n) {
  double all = 0;
  for (int times = 0; times < n; times++) {
    Matrix<3> m{};
    for (std::size_t i = 0; auto &row : m) {
      for (std::size_t j = 0; auto &each : row) {
        each = x[(i * 3 + j + std::size_t(times)) % std::size_t(n)] * 0.3 + (i == j ? 2 : 0);
        j++;
      }
      i++;
    }
    const Vector<3> b = solveLower(m, {x[0], x[1], all * 0.1});
    all += determinant(m) + b[0] * b[1] - std::sin(b[2]) + legendre(Vector<4>{x[times], x[0], b[0], b[2]});
  }
  return all;
}

} // namespace

REQUESTS(f)
