// Least squares with Eigen: circles are fitted to noisy points by Gauss–Newton steps, with the Jacobian of the residuals from
// the header. Compile with -I for Eigen 3.
#include <cmath>
#include <cstdio>

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include "backsweep.hpp"

using Points = Eigen::Matrix<double, 2, Eigen::Dynamic>;
using Eigen::Vector3d;
using Eigen::VectorXd;

// Points near a circle, with a disturbance that has no randomness in it.
static Points measure(const Vector3d &circle, int count)
{
    Points points(2, count);
    for (int i = 0; i < count; ++i) {
        const double angle = 2 * M_PI * i / count, radius = circle[2] + 1e-3 * std::sin(7.0 * i);
        points(0, i) = circle[0] + radius * std::cos(angle);
        points(1, i) = circle[1] + radius * std::sin(angle);
    }
    return points;
}

int main()
{
    const Vector3d truth(1.5, -0.5, 2.0);
    const Points points = measure(truth, 40);

    // How far each point is from the circle with the centre (c0, c1) and the radius c2.
    auto residuals = [&points](const Vector3d &c) {
        VectorXd r(points.cols());
        for (Eigen::Index i = 0; i < points.cols(); ++i)
            r[i] = std::hypot(points(0, i) - c[0], points(1, i) - c[1]) - c[2];
        return r;
    };
    auto cost = [&residuals](const Vector3d &c) { return 0.5 * residuals(c).squaredNorm(); };

    Vector3d circle(0, 0, 1);
    for (int step = 0; step < 12; ++step) {
        const Eigen::MatrixXd j = backsweep::jacobian(residuals, circle);
        circle -= (j.transpose() * j).ldlt().solve(j.transpose() * residuals(circle));
    }

    // The gradient of the cost, taken directly, vanishes there; elsewhere it agrees with differences.
    const Vector3d at_minimum = backsweep::gradient(cost, circle);
    const Vector3d elsewhere(1, 0.3, 1.7);
    const Vector3d gradient = backsweep::gradient(cost, elsewhere);
    double worst = 0;
    for (int k = 0; k < 3; ++k) {
        const Vector3d h = 1e-6 * Vector3d::Unit(k);
        const double difference = (cost(elsewhere + h) - cost(elsewhere - h)) / 2e-6;
        worst = std::fmax(worst, std::fabs(gradient[k] - difference));
    }
    std::printf("centre (%.4f, %.4f), radius %.4f\n", circle[0], circle[1], circle[2]);
    std::printf("gradient at the minimum %.1e, central differences agree to %.1e\n", at_minimum.norm(), worst);
    return !((circle - truth).norm() < 1e-3 && at_minimum.norm() < 1e-12 && worst < 1e-7);
}
