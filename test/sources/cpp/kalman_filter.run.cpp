// A Kalman filter with matrices of fixed size as templates, that keeps what it was after each step.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <cmath>
#include <initializer_list>
#include <vector>
namespace {
template <int R, int C> struct Mat {
    double a[R][C] = {};
    Mat() = default;
    Mat(std::initializer_list<double> l) {
        int k = 0;
        for (double d : l) {
            a[k / C][k % C] = d;
            k++;
        }
    }
    double &operator()(int i, int j) { return a[i][j]; }
    double operator()(int i, int j) const { return a[i][j]; }
    Mat<C, R> t() const {
        Mat<C, R> m;
        for (int i = 0; i < R; i++)
            for (int j = 0; j < C; j++)
                m(j, i) = a[i][j];
        return m;
    }
};
template <int R, int K, int C> Mat<R, C> operator*(const Mat<R, K> &a, const Mat<K, C> &b) {
    Mat<R, C> m;
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++)
            for (int k = 0; k < K; k++)
                m(i, j) += a(i, k) * b(k, j);
    return m;
}
template <int R, int C> Mat<R, C> operator+(Mat<R, C> a, const Mat<R, C> &b) {
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++)
            a(i, j) += b(i, j);
    return a;
}
template <int R, int C> Mat<R, C> operator-(Mat<R, C> a, const Mat<R, C> &b) {
    for (int i = 0; i < R; i++)
        for (int j = 0; j < C; j++)
            a(i, j) -= b(i, j);
    return a;
}
struct Filter {
    Mat<2, 1> state;
    Mat<2, 2> covariance, transition, noise;
    double log_likelihood = 0;
    int steps = 0;
    void predict() {
        state = transition * state;
        covariance = transition * covariance * transition.t() + noise;
    }
    void update(double z, double r) {
        Mat<1, 2> h{1, 0};
        double y = z - (h * state)(0, 0), s = (h * covariance * h.t())(0, 0) + r;
        Mat<2, 1> gain = covariance * h.t();
        gain(0, 0) /= s;
        gain(1, 0) /= s;
        state = state + gain * Mat<1, 1>{y};
        covariance = covariance - gain * (h * covariance);
        log_likelihood -= 0.5 * (y * y / s + std::log(s));
        steps++;
    }
};
double f(const double *x, int) {
    Filter filter;
    filter.state = {x[0], 0.1};
    filter.covariance = {1, 0.1, 0.1, x[1]};
    filter.transition = {1, 0.1, -0.2 * x[2], 1};
    filter.noise = {0.01, 0, 0, 0.02 * x[3]};
    std::vector<Filter> history;
    for (int k = 0; k < 12; k++) {
        filter.predict();
        filter.update(std::sin(0.3 * k), 0.1 + 0.05 * x[0]);
        history.push_back(filter);
    }
    double s = filter.log_likelihood;
    for (auto &h : history)
        s += 0.1 * h.state(0, 0) * h.state(1, 0) / h.steps;
    return s;
}
} // namespace
REQUESTS(f)
