// A matrix class on the heap with operators, copies and moves, a determinant by elimination with pivots.
// RUN: %levels %s conditioned 0.8 1.3 -0.4 2.1
#include "source.h"
#include <cmath>
#include <memory>
#include <utility>

class Matrix {
    int size;
    std::unique_ptr<double[]> values;

public:
    explicit Matrix(int size) : size(size), values(new double[size * size]()) {}
    Matrix(const Matrix &other) : Matrix(other.size)
    {
        for (int i = 0; i < size * size; i++)
            values[i] = other.values[i];
    }
    Matrix(Matrix &&) = default;
    Matrix &operator=(Matrix &&) = default;
    double &operator()(int i, int j) { return values[i * size + j]; }
    double operator()(int i, int j) const { return values[i * size + j]; }

    friend Matrix operator*(const Matrix &a, const Matrix &b)
    {
        Matrix c(a.size);
        for (int i = 0; i < a.size; i++)
            for (int j = 0; j < a.size; j++)
                for (int k = 0; k < a.size; k++)
                    c(i, j) += a(i, k) * b(k, j);
        return c;
    }

    friend double determinant(Matrix a)
    {
        double result = 1;
        for (int k = 0; k < a.size; k++) {
            int pivot = k;
            for (int i = k + 1; i < a.size; i++)
                if (std::fabs(a(i, k)) > std::fabs(a(pivot, k)))
                    pivot = i;
            if (pivot != k) {
                for (int j = 0; j < a.size; j++)
                    std::swap(a(k, j), a(pivot, j));
                result = -result;
            }
            result *= a(k, k);
            for (int i = k + 1; i < a.size; i++) {
                double factor = a(i, k) / a(k, k);
                for (int j = k; j < a.size; j++)
                    a(i, j) -= factor * a(k, j);
            }
        }
        return result;
    }
};

static double f(const double *x, int n)
{
    Matrix a(4), b(4);
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++) {
            a(i, j) = x[(i + 2 * j) % n] + (i == j) + 0.1 * i * j;
            b(i, j) = std::sin(i * j + x[(i + j) % n]) + (i == j);
        }
    Matrix c = a * b;
    c = c * a;
    return determinant(c) + c(1, 2) * determinant(b);
}

REQUESTS(f)
