// With AVX Eigen aligns all its vectors and matrices by hand, and keeps the address of each allocation in the word in front of it.
// RUN: %clangxx -std=c++20 -O0 -g -march=x86-64-v3 -I/usr/include/eigen3 %include %pass %s -o %t.O0 %runtime && %t.O0
// RUN: %clangxx -std=c++20 -O1 -mavx2 -fsanitize=address -I/usr/include/eigen3 %include %pass %s -o %t.asan %runtime && %t.asan
#include <cmath>
#include <cstdio>
#include <vector>

#include <Eigen/Dense>

#include "backsweep.h"

constexpr int Size = 5, Steps = 4;

// Two matrices that act on a state again and again, behind tanh.
static double network(const double *x, int n)
{
    Eigen::Map<const Eigen::MatrixXd> own(x, Size, Size), other(x + Size * Size, Size, Size);
    Eigen::VectorXd state = Eigen::VectorXd::Constant(Size, 0.1), next(Size);
    double sum = 0;
    for (int t = 0; t < Steps; t++) {
        next = own * state + other * state;
        state = next.array().tanh().matrix();
        sum += state.squaredNorm();
    }
    return sum + x[n - 1];
}

// Products of matrices, made anew and kept in a list.
static double products(const double *x, int n)
{
    std::vector<Eigen::MatrixXd> all;
    all.push_back(Eigen::Map<const Eigen::MatrixXd>(x, Size, Size));
    for (int t = 0; t < Steps; t++)
        all.push_back(all.back() * all.front() * 0.3 + Eigen::MatrixXd::Identity(Size, Size) * x[n - 1]);
    return all.back().sum() + all[1].squaredNorm();
}

// Factorisations, of a copy.
static double solves(const double *x, int n)
{
    Eigen::MatrixXd own = Eigen::Map<const Eigen::MatrixXd>(x, Size, Size);
    Eigen::MatrixXd shifted = own * own.transpose() + Eigen::MatrixXd::Identity(Size, Size) * 5;
    Eigen::VectorXd right = Eigen::Map<const Eigen::VectorXd>(x + n - Size, Size), left = shifted.llt().solve(right);
    return left.squaredNorm() + shifted.partialPivLu().solve(left).sum();
}

template <typename Function> int check(const char *name, Function function, std::vector<double> x, const std::vector<double> &gradient)
{
    const double step = 1e-6;
    int failures = 0;
    for (size_t i = 0; i < x.size(); i++) {
        double kept = x[i];
        x[i] = kept + step;
        double above = function(x.data(), int(x.size()));
        x[i] = kept - step;
        double below = function(x.data(), int(x.size()));
        x[i] = kept;
        double expected = (above - below) / (2 * step);
        if (!(std::fabs(gradient[i] - expected) <= 1e-7 * (1 + std::fabs(expected)))) {
            std::printf("%s: the derivative in %zu is %.12g, not %.12g\n", name, i, gradient[i], expected);
            failures++;
        }
    }
    return failures;
}

int main()
{
    std::vector<double> x(2 * Size * Size + 1), first(x.size()), second(x.size()), third(x.size());
    for (size_t i = 0; i < x.size(); i++)
        x[i] = 0.4 * std::sin(1.7 * double(i) + 0.3);
    __backsweep_gradient((void *)network, bs_dup, x.data(), first.data(), int(x.size()));
    __backsweep_gradient((void *)products, bs_dup, x.data(), second.data(), int(x.size()));
    __backsweep_gradient((void *)solves, bs_dup, x.data(), third.data(), int(x.size()));
    return check("network", network, x, first) + check("products", products, x, second) + check("solves", solves, x, third) != 0;
}
