// Buffers of Eigen's kernels with AVX: given by the caller, on the stack, or on the heap and aligned by hand; the last are freed by the
// word in front of them, which lies among numbers. A factorisation by reflections has one in each step.
// RUN: %clangxx -std=c++20 -O2 -mavx2 -I/usr/include/eigen3 %include %pass %s -o %t %runtime && %t
#include <cmath>
#include <cstdio>

#include <Eigen/Dense>

#include "backsweep.h"

using namespace Eigen;

enum { N = 5 };

static double f(const double *x, int n)
{
    MatrixXd a = MatrixXd::Identity(n, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            a(i, j) += 0.2 * x[(i + 2 * j) % n];
    return HouseholderQR<MatrixXd>(a).solve(Map<const VectorXd>(x, n)).squaredNorm();
}

int main()
{
    double x[N] = {0.9, 0.7, 1.2, 0.6, 1.1}, dx[N] = {0}, h = 1e-5;
    __backsweep_gradient_void((void *)f, bs_dup, x, dx, N);
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        double at = x[i], above = (x[i] = at + h, f(x, N)), below = (x[i] = at - h, f(x, N)), expected = (above - below) / (2 * h);
        x[i] = at;
        if (!(std::fabs(dx[i] - expected) <= 1e-7 * (1 + std::fabs(expected)))) {
            std::printf("%d: %.12g, expected %.12g\n", i, dx[i], expected);
            wrong = 1;
        }
    }
    return wrong;
}
