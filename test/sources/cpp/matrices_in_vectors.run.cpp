// Matrices of a class of its own, with sizes and a vector each, moved about in a vector: sizes, pointers and numbers lie in the same
// blocks of memory, and what moves them does not say what it moves.
// RUN: %levels %s conditioned 0.9 1.1 0.7 1.3
#include "source.h"
#include <array>
#include <cstddef>
#include <utility>
#include <vector>
namespace {
class Matrix {
    std::size_t rows_, columns_;
    std::vector<double> data;

public:
    Matrix(std::size_t rows, std::size_t columns, double value = 0)
        : rows_(rows), columns_(columns), data(rows * columns, value) {}
    double &operator()(std::size_t i, std::size_t j) { return data[i * columns_ + j]; }
    double operator()(std::size_t i, std::size_t j) const { return data[i * columns_ + j]; }
    Matrix &operator+=(const Matrix &other) {
        for (std::size_t i = 0; i < data.size(); i++) data[i] += other.data[i];
        return *this;
    }
    friend Matrix operator+(Matrix a, const Matrix &b) { return a += b; }
    friend Matrix operator*(const Matrix &a, const Matrix &b) {
        Matrix product(a.rows_, b.columns_);
        for (std::size_t i = 0; i < a.rows_; i++)
            for (std::size_t k = 0; k < a.columns_; k++)
                for (std::size_t j = 0; j < b.columns_; j++) product(i, j) += a(i, k) * b(k, j);
        return product;
    }
    friend Matrix operator*(double s, Matrix m) {
        for (auto &value : m.data) value *= s;
        return m;
    }
    Matrix transposed() const {
        Matrix turned(columns_, rows_);
        for (std::size_t i = 0; i < rows_; i++)
            for (std::size_t j = 0; j < columns_; j++) turned(j, i) = (*this)(i, j);
        return turned;
    }
    double trace() const {
        double sum = 0;
        for (std::size_t i = 0; i < rows_; i++) sum += (*this)(i, i);
        return sum;
    }
};
template <std::size_t N> struct Fixed {
    std::array<std::array<double, N>, N> a{};
    Fixed operator*(const Fixed &other) const {
        Fixed m;
        for (std::size_t i = 0; i < N; i++)
            for (std::size_t j = 0; j < N; j++)
                for (std::size_t k = 0; k < N; k++) m.a[i][j] += a[i][k] * other.a[k][j];
        return m;
    }
};
double f(const double *x, int n) {
    Matrix a(3, 3);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) a(i, j) = x[(i + j) % n] + (i == j);
    Matrix b = a * a.transposed() + 0.5 * a;
    std::vector<Matrix> all;
    all.push_back(a);
    all.push_back(std::move(b));
    all.emplace_back(3, 3, x[2]);
    all.insert(all.begin(), all[1]);
    Matrix t = all[0];
    for (auto &m : all) t = t * m + m;
    std::swap(all[0], all[2]);
    std::pair<Matrix, double> p{t, x[0]};
    auto q = std::move(p);
    Fixed<2> g;
    g.a[0] = {x[0], x[1]};
    g.a[1] = {x[2], x[3]};
    g = g * g * g;
    return q.first.trace() * 0.001 * q.second + all[0].trace() + g.a[0][1];
}
}
REQUESTS(f)
