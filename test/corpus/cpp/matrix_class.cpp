// A matrix class with operators, copy control and constructors (whose aliases the compiler emits), Cholesky.
#include <cmath>
#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <utility>

class Matrix {
public:
  explicit Matrix(int n) : order(n), data(new double[n * n]()) {}
  Matrix(const Matrix &other);
  Matrix(Matrix &&other) noexcept : order(std::exchange(other.order, 0)), data(std::exchange(other.data, nullptr)) {}
  Matrix &operator=(Matrix other) noexcept {
    std::swap(data, other.data);
    std::swap(order, other.order);
    return *this;
  }
  ~Matrix();
  double &operator()(int i, int j) { return data[i * order + j]; }
  double operator()(int i, int j) const { return data[i * order + j]; }
  Matrix operator*(const Matrix &other) const;
  Matrix transposed() const;
  int order;

private:
  double *data;
};

Matrix::Matrix(const Matrix &other) : Matrix(other.order) {
  std::memcpy(data, other.data, sizeof(double) * order * order);
}

Matrix::~Matrix() { delete[] data; }

Matrix Matrix::operator*(const Matrix &other) const {
  Matrix product(order);
  for (int i = 0; i < order; i++)
    for (int k = 0; k < order; k++)
      for (int j = 0; j < order; j++)
        product(i, j) += (*this)(i, k) * other(k, j);
  return product;
}

Matrix Matrix::transposed() const {
  Matrix result(order);
  for (int i = 0; i < order; i++)
    for (int j = 0; j < order; j++)
      result(j, i) = (*this)(i, j);
  return result;
}

static double log_determinant(Matrix a) {
  double sum = 0.0;
  for (int j = 0; j < a.order; j++) {
    for (int k = 0; k < j; k++)
      a(j, j) -= a(j, k) * a(j, k);
    a(j, j) = std::sqrt(a(j, j));
    sum += 2.0 * std::log(a(j, j));
    for (int i = j + 1; i < a.order; i++) {
      for (int k = 0; k < j; k++)
        a(i, j) -= a(i, k) * a(j, k);
      a(i, j) /= a(j, j);
    }
  }
  return sum;
}

extern "C" double f(const double *x, int n) {
  Matrix a(5);
  for (int i = 0; i < 5; i++)
    for (int j = 0; j < 5; j++)
      a(i, j) = x[(i * 2 + j) % n] + (i == j ? 2.0 : 0.1 * j);
  Matrix spd = a * a.transposed();
  Matrix copy = spd;
  copy(0, 0) += 1.0;
  spd = copy * spd.transposed() * copy;
  return log_determinant(copy) + 1e-4 * log_determinant(spd);
}

int main() {
  double x[4] = {0.5, -0.25, 0.75, 1.25};
  std::printf("%.12g\n", f(x, 4));
}
