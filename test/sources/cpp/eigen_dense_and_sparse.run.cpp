// Eigen's dense decomposition beside a sparse product: doubles go through registers of integers to be broadcast, masks are made of constants by
// functions that others give numbers, and integers are stored out of registers. None of it is a float's bits that are taken for a number.
// RUN: %clangxx -O2 -g -std=c++20 %include -I/usr/include/eigen3 %pass %s -o %t %runtime && %t
#include <cmath>
#include <cstdio>
#include <vector>

#include <Eigen/Dense>
#include <Eigen/Sparse>

#include "backsweep.h"

enum { N = 6 };

static double f(const double *x, int n)
{
    Eigen::MatrixXd a(n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a(i, j) = std::cos(x[i] * (j + 1)) + x[j] * (i == j ? 4 : 0.1);
    Eigen::VectorXd b = Eigen::Map<const Eigen::VectorXd>(x, n);
    Eigen::VectorXd s = Eigen::HouseholderQR<Eigen::MatrixXd>(a).solve(b);
    std::vector<Eigen::Triplet<double>> entries;
    for (int i = 0; i < n; i++) {
        entries.emplace_back(i, i, 2 + x[i]);
        if (i)
            entries.emplace_back(i, i - 1, -x[i] * 0.5);
    }
    Eigen::SparseMatrix<double> sparse(n, n);
    sparse.setFromTriplets(entries.begin(), entries.end());
    Eigen::VectorXd u = sparse * b;
    return s.dot(u) + a.lpNorm<Eigen::Infinity>();
}

int main()
{
    double x[N] = {0.31, 0.75, 1.1, 0.4, 0.9, 0.6}, dx[N] = {0}, h = 1e-6;
    __backsweep_gradient_void((void *)f, x, dx, N);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        double at = x[i];
        x[i] = at + h;
        double above = f(x, N);
        x[i] = at - h;
        double expected = (above - f(x, N)) / (2 * h);
        x[i] = at;
        if (!(std::fabs(dx[i] - expected) <= 1e-6 * (1 + std::fabs(expected)))) {
            std::printf("%d: %.12g, expected %.12g\n", i, dx[i], expected);
            wrong = 1;
        }
    }
    return wrong;
}
