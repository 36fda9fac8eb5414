// Eigen: a sparse matrix that is filled entry by entry and solved with by conjugate gradients, and singular values. What a matrix knows
// of its entries are integers that are read, added up lane by lane, and put into its parts; the largest size of an entry, or else a NaN,
// is chosen by masks. Such masks say nothing against integers that are declared.
// RUN: %clangxx -O2 -std=c++17 %include -isystem /usr/include/eigen3 %pass %s -o %t %runtime && %t
#include <cmath>
#include <cstdio>

#include <Eigen/Dense>
#include <Eigen/Sparse>

#include "backsweep.h"

using namespace Eigen;

static double by_gradients(const double *x, int n)
{
    SparseMatrix<double> a(8, 8);
    a.reserve(VectorXi::Constant(8, 3));
    for (int i = 0; i < 8; i++) {
        a.insert(i, i) = 4 + x[i % n];
        if (i > 0) {
            a.insert(i, i - 1) = -x[(i + 1) % n];
            a.insert(i - 1, i) = -x[(i + 1) % n];
        }
    }
    a.makeCompressed();
    VectorXd b = VectorXd::Ones(8);
    b[0] = x[0];
    ConjugateGradient<SparseMatrix<double>, Lower | Upper> solver;
    solver.setTolerance(1e-14);
    solver.compute(a);
    VectorXd z = solver.solve(b);
    return z.sum() + z[2] * z[5];
}

static double by_singular_values(const double *x, int n)
{
    Matrix3d a;
    for (int i = 0; i < 9; i++)
        a(i / 3, i % 3) = std::sin(1.0 + i + x[i % n]) + (i % 4 == 0) * 2;
    JacobiSVD<Matrix3d> svd(a, ComputeFullU | ComputeFullV);
    return svd.singularValues().sum() + svd.singularValues()[0] + svd.matrixU()(0, 1) * svd.matrixV()(0, 1);
}

// Where its columns start is filled with zeros before it is copied: that is stepped through by integers wherever else it is met.
static double by_copies(const double *x, int n)
{
    SparseMatrix<double> a(6, 6);
    for (int i = 0; i < n; i++) {
        a.insert(i, i) = x[i];
        if (i > 1)
            a.insert(i, i - 2) = x[i] * x[0];
    }
    a.makeCompressed();
    VectorXd b = VectorXd::Constant(6, x[3]);
    SparseMatrix<double> copy = a;
    return (copy * b).squaredNorm();
}

static int failures;

static void check(const char *name, double (*f)(const double *, int), const double *d, double *x, int n)
{
    for (int i = 0; i < n; i++) {
        double at = x[i], up = (x[i] = at + 1e-5, f(x, n)), down = (x[i] = at - 1e-5, f(x, n)), want = (up - down) / 2e-5;
        x[i] = at;
        if (!(std::fabs(d[i] - want) < 1e-6 * (1 + std::fabs(want)))) {
            std::printf("%s: %d: %.10g for %.10g\n", name, i, d[i], want);
            failures++;
        }
    }
}

#define CHECK(f)                                          \
    do {                                                  \
        double d[6] = {0};                                \
        __backsweep_gradient((void *)f, bs_dup, x, d, 6); \
        check(#f, f, d, x, 6);                            \
    } while (0)

int main()
{
    double x[6] = {0.63, 0.41, 0.87, 0.52, 0.74, 0.35};
    CHECK(by_gradients);
    CHECK(by_singular_values);
    CHECK(by_copies);
    return failures != 0;
}
