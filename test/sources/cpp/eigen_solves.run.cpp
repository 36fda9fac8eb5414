// Eigen: systems of unknown size solved by factorisations, which call themselves on blocks.
// RUN: %clangxx -O2 -std=c++17 %include -isystem /usr/include/eigen3 %pass %s -o %t %runtime && %t
// RUN: %clangxx -O2 -mavx2 -std=c++17 %include -isystem /usr/include/eigen3 %pass %s -o %t.avx %runtime && %t.avx
#include <cmath>
#include <cstdio>

#include <Eigen/Dense>

#include "backsweep.h"

using namespace Eigen;

static MatrixXd matrix(const double *p, int n) { return Map<const Matrix<double, Dynamic, Dynamic, RowMajor>>(p, n, n); }

static VectorXd vector(const double *p, int n) { return Map<const VectorXd>(p + n * n, n); }

static double by_lu(const double *p, int n) { return matrix(p, n).partialPivLu().solve(vector(p, n)).squaredNorm(); }

static double by_cholesky(const double *p, int n)
{
    MatrixXd A = matrix(p, n), S = A.transpose() * A + MatrixXd::Identity(n, n);
    return S.llt().solve(vector(p, n)).squaredNorm() + S.ldlt().solve(vector(p, n)).sum();
}

static int failures;

static void check(const char *name, double (*f)(const double *, int), double *p, int n)
{
    double d[20] = {0};
    if (f == by_lu)
        __backsweep_gradient((void *)by_lu, bs_dup, p, d, n);
    else
        __backsweep_gradient((void *)by_cholesky, bs_dup, p, d, n);
    for (int i = 0; i < n * n + n; i++) {
        double at = p[i], up = (p[i] = at + 1e-6, f(p, n)), down = (p[i] = at - 1e-6, f(p, n)), want = (up - down) / 2e-6;
        p[i] = at;
        if (!(std::fabs(d[i] - want) < 1e-6 * (1 + std::fabs(want)))) {
            std::printf("%s: %d: %.10g for %.10g\n", name, i, d[i], want);
            failures++;
        }
    }
}

int main()
{
    double p[20] = {0.5, 1, 4, 0.3, 1, 5, 0.3, 0.2, 0.2, 0.7, 6, 1, 3, 0.1, 0.6, 2, 1, 2, 3, 4};
    check("by_lu", by_lu, p, 4);
    check("by_cholesky", by_cholesky, p, 4);
    return failures != 0;
}
