// Eigen: products, blocks, folds and solves of dense matrices, of known size and of unknown. Large kernels of the library stay
// calls, memory is aligned by hand, and sizes of caches are asked of the processor.
// DEFINE: %{level} =
// DEFINE: %{check} = %clangxx %{level} -std=c++17 %include -isystem /usr/include/eigen3 %pass %s -o %t %runtime && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
#include <cmath>
#include <cstdio>

#include <Eigen/Dense>

#include "backsweep.h"

using namespace Eigen;

static MatrixXd matrix(const double *p, int n) { return Map<const Matrix<double, Dynamic, Dynamic, RowMajor>>(p, n, n); }

static VectorXd vector(const double *p, int n) { return Map<const VectorXd>(p + n * n, n); }

static double products(const double *p, int n)
{
    MatrixXd A = matrix(p, n);
    VectorXd b = vector(p, n);
    return (A * A * b).dot(A.transpose() * b) + (A * b).norm() + A.trace();
}

static double blocks(const double *p, int n)
{
    MatrixXd A = matrix(p, n);
    VectorXd b = vector(p, n);
    return A.block(0, 0, 2, 2).sum() * A.row(1).dot(A.col(2)) + A.topRows(2).squaredNorm() + b.head(2).prod() +
           A.cwiseProduct(A).colwise().sum().maxCoeff();
}

static double fixed(const double *p, int n)
{
    Matrix3d M = matrix(p, n);
    Vector3d v = vector(p, n);
    return (M.inverse() * v).squaredNorm() + M.determinant() + v.cross(M * v).norm();
}

static double triangular(const double *p, int n)
{
    MatrixXd A = matrix(p, n);
    VectorXd b = vector(p, n), x = A.triangularView<Lower>().solve(b);
    A.noalias() += x * b.transpose();
    return x.dot(b) + A.sum();
}

static double steps(const double *p, int n)
{
    MatrixXd A = matrix(p, n);
    VectorXd b = vector(p, n), v = VectorXd::LinSpaced(n, 0, 1);
    for (int t = 0; t < 5; t++) {
        v = A * v * 0.1 + b;
        v.array() += v.array().square() * 0.01;
    }
    return v.sum();
}

static double behind_pointers(const MatrixXd *W, const MatrixXd *M)
{
    MatrixXd d = *W - *M;
    return (d * d).sum();
}

static int failures;

static void compare(const char *name, int i, double given, double want)
{
    if (!(std::fabs(given - want) < 1e-6 * (1 + std::fabs(want)))) {
        std::printf("%s: %d: %.10g for %.10g\n", name, i, given, want);
        failures++;
    }
}

#define CHECK(f)                                                                                     \
    do {                                                                                             \
        double d[12] = {0};                                                                          \
        __backsweep_gradient((void *)f, bs_dup, p, d, 3);                                            \
        for (int i = 0; i < 12; i++) {                                                               \
            double at = p[i], up = (p[i] = at + 1e-6, f(p, 3)), down = (p[i] = at - 1e-6, f(p, 3));  \
            p[i] = at;                                                                               \
            compare(#f, i, d[i], (up - down) / 2e-6);                                                \
        }                                                                                            \
    } while (0)

int main()
{
    double p[12] = {4, 1, 0.5, 1, 5, 0.3, 0.2, 0.7, 6, 1, 2, 3};
    CHECK(products);
    CHECK(blocks);
    CHECK(fixed);
    CHECK(triangular);
    CHECK(steps);

    MatrixXd W = matrix(p, 3), M = MatrixXd::Constant(3, 3, 2), dW = MatrixXd::Zero(3, 3), dM = dW;
    __backsweep_gradient((void *)behind_pointers, bs_dup, &W, &dW, bs_dup, &M, &dM);
    for (int i = 0; i < 9; i++) {
        double &cell = W.data()[i], at = cell;
        double up = (cell = at + 1e-6, behind_pointers(&W, &M)), down = (cell = at - 1e-6, behind_pointers(&W, &M));
        cell = at;
        compare("behind_pointers", i, dW.data()[i], (up - down) / 2e-6);
        compare("behind_pointers, second", i, dM.data()[i], -(up - down) / 2e-6);
    }
    return failures != 0;
}
