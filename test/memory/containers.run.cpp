// What programs in C++ allocate in loops and keep in containers of their own, in both modes, against central differences.
// RUN: %clangxx -O0 -g -fno-exceptions -std=c++20 %include %pass %s -o %t %runtime && %t
// RUN: %clangxx -O1 -g -fno-exceptions -std=c++20 -fsanitize=address %include %pass %s -o %t %runtime && %t
// RUN: %clangxx -O3 -fno-exceptions -std=c++20 %include %pass %s -o %t %runtime && %t
#include <cmath>
#include <cstdio>
#include <memory>
#include <vector>

#include "backsweep.h"

enum { N = 5 };

static double vector_in_loop(double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        std::vector<double> t(n);
        for (int j = 0; j < n; j++) t[j] = x[j] * x[i];
        sum += t[0] * t[n - 1];
    }
    return sum;
}

static double vector_of_vectors(double *x, int n)
{
    std::vector<std::vector<double>> rows;
    for (int i = 0; i < n; i++) rows.emplace_back(n, x[i]);
    for (int i = 1; i < n; i++) rows[i][0] *= rows[i - 1][1];
    double sum = 0;
    for (auto &row : rows)
        for (double v : row) sum += v * v;
    return sum;
}

static double pushed_back(double *x, int n)
{
    std::vector<double> t;
    for (int i = 0; i < n; i++) t.push_back(x[i] * x[i]);
    double sum = 0;
    for (double v : t) sum += v * t[0];
    return sum;
}

struct Term {
    virtual double at(double) const = 0;
    virtual ~Term() {}
};
struct Linear : Term {
    double a;
    explicit Linear(double a) : a(a) {}
    double at(double x) const override { return a * x; }
};

static double owned(double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        std::unique_ptr<Linear> term(new Linear(x[i]));
        sum += term->at(x[0]);
    }
    return sum;
}

struct Matrix {
    int rows, columns;
    double *data;
    Matrix(int rows, int columns) : rows(rows), columns(columns), data(new double[rows * columns]()) {}
    Matrix(const Matrix &other) : Matrix(other.rows, other.columns)
    {
        for (int i = 0; i < rows * columns; i++) data[i] = other.data[i];
    }
    ~Matrix() { delete[] data; }
    double &operator()(int i, int j) { return data[i * columns + j]; }
};

static Matrix multiply(Matrix &a, Matrix &b)
{
    Matrix product(a.rows, b.columns);
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < b.columns; j++)
            for (int k = 0; k < a.columns; k++) product(i, j) += a(i, k) * b(k, j);
    return product;
}

static double matrices(double *x, int)
{
    Matrix a(2, 2);
    for (int i = 0; i < 4; i++) a.data[i] = x[i];
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        Matrix b = multiply(a, a);
        Matrix copy = b;
        for (int i = 0; i < 4; i++) a.data[i] = copy.data[i] * 0.5;
        sum += b(0, 1) * copy(1, 1);
    }
    return sum;
}

// Numbers beside floats, reached by pointers that walk.
struct Particle {
    double x;
    int id;
    double y;
};

static double walked(double *x, int n)
{
    Particle *all = new Particle[n];
    Particle *p = all;
    for (int i = 0; i < n; i++, p++) p->x = x[i], p->id = 2 * i, p->y = x[i] * x[0];
    double sum = 0;
    for (p = all; p < all + n; p++) sum += p->x * p->y * p->id++;
    for (p = all; p < all + n; p++) sum += p->x * p->id;
    delete[] all;
    return sum;
}

static int failures;

static void check(const char *name, double (*f)(double *, int), const double *gradient, const double *tangent)
{
    double x[N] = {0.9, 0.7, 1.2, 0.6, 1.1}, h = 1e-6;
    for (int i = 0; i < N; i++) {
        double at = x[i];
        x[i] = at + h;
        double above = f(x, N);
        x[i] = at - h;
        double slope = (above - f(x, N)) / (2 * h);
        x[i] = at;
        double bound = 1e-7 * (1 + std::fabs(slope));
        if (std::fabs(gradient[i] - slope) <= bound && std::fabs(tangent[i] - slope) <= bound) continue;
        std::printf("%s: d/dx[%d] = %.12g, forward %.12g, differences say %.12g\n", name, i, gradient[i], tangent[i],
                    slope);
        failures++;
    }
}

#define TRY(f)                                                               \
    do {                                                                     \
        double x[N] = {0.9, 0.7, 1.2, 0.6, 1.1}, dx[N] = {0}, tangent[N];    \
        __backsweep_gradient((void *)f, x, dx, N);                           \
        for (int i = 0; i < N; i++) {                                        \
            double e[N] = {0};                                               \
            e[i] = 1;                                                        \
            tangent[i] = __backsweep_tangent((void *)f, x, e, N);            \
        }                                                                    \
        check(#f, f, dx, tangent);                                           \
    } while (0)

int main()
{
    TRY(vector_in_loop);
    TRY(vector_of_vectors);
    TRY(pushed_back);
    TRY(owned);
    TRY(matrices);
    TRY(walked);
    return failures != 0;
}
