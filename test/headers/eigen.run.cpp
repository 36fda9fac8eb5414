// backsweep.hpp with Eigen: vectors of known and of unknown size, as argument and as result.
// DEFINE: %{level} =
// DEFINE: %{check} = %clangxx %{level} -std=c++17 %include -isystem /usr/include/eigen3 %pass %s -o %t %runtime && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}

#include <cmath>
#include <cstdio>

#include <Eigen/Core>

#include "backsweep.hpp"

static int failures;
static void expect(int line, double found, double expected)
{
    if (std::fabs(found - expected) <= 5e-13 * std::fmax(1.0, std::fabs(expected)))
        return;
    std::printf("line %d: found %.17g, expected %.17g\n", line, found, expected);
    failures++;
}
#define EXPECT(found, expected) expect(__LINE__, (found), (expected))

static volatile double one = 1.0;

static double energy(const Eigen::Vector3d &x) { return 0.5 * x.squaredNorm() + x[0] * x[1]; }
static double cost(const Eigen::VectorXd &x) { return x.dot(x) + std::sin(x[0]); }

int main()
{
    Eigen::Vector3d x(1 * one, 2, 3);
    Eigen::Vector3d g = backsweep::gradient<energy>(x);
    EXPECT(g[0], x[0] + x[1]);
    EXPECT(g[1], x[1] + x[0]);
    EXPECT(g[2], x[2]);
    EXPECT(backsweep::jvp<energy>(x, Eigen::Vector3d(1, 1, 1)), g.sum());
    Eigen::MatrixXd h = backsweep::hessian<energy>(x);
    EXPECT(h(0, 1), 1);
    EXPECT(h(2, 2), 1);
    EXPECT(h(2, 0), 0);

    Eigen::VectorXd z(4);
    z << 1 * one, -2, 3, 0.5;
    auto [value, dz] = backsweep::value_and_gradient<cost>(z);
    EXPECT(value, z.dot(z) + std::sin(z[0]));
    EXPECT(dz[0], 2 * z[0] + std::cos(z[0]));
    EXPECT(dz[3], 2 * z[3]);
    EXPECT(backsweep::hvp<cost>(z, Eigen::VectorXd::Unit(4, 1).eval())[1], 2);

    Eigen::Matrix<double, 2, 3> a;
    a << 1, 2, 3, 4, 5, 6;
    auto linear = [&](const Eigen::Vector3d &v) -> Eigen::Vector2d { return a * v; };
    Eigen::MatrixXd j = backsweep::jacobian(linear, x);
    for (int row = 0; row < 2; ++row)
        for (int column = 0; column < 3; ++column)
            EXPECT(j(row, column), a(row, column));
    return failures != 0;
}
