// Eigen: the inverse and the determinant of a matrix of unknown size, and a solve by Householder reflections of blocks. The
// factorisations write their pivots behind pointers of the caller's, and their kernels work out sizes of blocks in place; both are
// integers beside active numbers.
// RUN: %clangxx -O2 -std=c++17 %include -isystem /usr/include/eigen3 %pass %s -o %t %runtime && %t
#include <cmath>
#include <cstdio>

#include <Eigen/Dense>

#include "backsweep.h"

using namespace Eigen;

static double by_inverse(const MatrixXd &a) { return a.inverse().sum() + a.determinant(); }

static double by_reflections(const MatrixXd &a, const VectorXd &b) { return a.householderQr().solve(b).squaredNorm(); }

/* Of four rows the inverse changes signs by a mask in an array, which each pass of a loop fills anew. */
static double by_small_inverses(const MatrixXd &a)
{
    double sum = 0;
    for (int k = 0; k < a.rows(); k++) {
        Matrix4d m = Map<const Matrix4d>(a.data()) + k * Matrix4d::Identity();
        sum += m.inverse()(0, 1) * (k + 1) + m.inverse().trace();
    }
    return sum;
}

static int failures;

template <class F> static void check(const char *name, F f, MatrixXd a, const MatrixXd &gradient)
{
    for (int i = 0; i < a.size(); i++) {
        double at = a.data()[i], up = (a.data()[i] = at + 1e-6, f(a)), down = (a.data()[i] = at - 1e-6, f(a));
        double got = gradient.data()[i], want = (up - down) / 2e-6;
        a.data()[i] = at;
        if (!(std::fabs(got - want) < 1e-6 * (1 + std::fabs(want)))) {
            std::printf("%s: %d: %.10g for %.10g\n", name, i, got, want);
            failures++;
        }
    }
}

int main()
{
    MatrixXd a(4, 4), da = MatrixXd::Zero(4, 4);
    a << 0.5, 1, 4, 0.3, 1, 5, 0.3, 0.2, 0.2, 0.7, 6, 1, 3, 0.1, 0.6, 2;
    VectorXd b(4), db = VectorXd::Zero(4);
    b << 1, 2, 3, 4;
    __backsweep_gradient((void *)by_inverse, bs_dup, &a, &da);
    check("by_inverse", by_inverse, a, da);
    da.setZero();
    __backsweep_gradient((void *)by_small_inverses, bs_dup, &a, &da);
    check("by_small_inverses", by_small_inverses, a, da);
    da.setZero();
    __backsweep_gradient((void *)by_reflections, bs_dup, &a, &da, bs_dup, &b, &db);
    check("by_reflections", [&](const MatrixXd &m) { return by_reflections(m, b); }, a, da);
    check("right-hand side", [&](const MatrixXd &m) { return by_reflections(a, m); }, b, db);
    return failures != 0;
}
