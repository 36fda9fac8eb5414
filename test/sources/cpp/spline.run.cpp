// A natural cubic spline as a class that keeps sorted knots, evaluated by binary search.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1 0.6 0.9
#include "source.h"
#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>
namespace {
class Spline {
    struct Knot {
        double x, y, m;
    };
    std::vector<Knot> knots;

  public:
    explicit Spline(const std::vector<std::pair<double, double>> &points) {
        if (points.size() < 3)
            throw std::invalid_argument("too few points");
        for (auto &[x, y] : points)
            knots.push_back({x, y, 0});
        std::sort(knots.begin(), knots.end(), [](const Knot &a, const Knot &b) { return a.x < b.x; });
        std::size_t n = knots.size();
        std::vector<double> a(n), b(n, 1.0), c(n), d(n);
        for (std::size_t i = 1; i + 1 < n; i++) {
            double h0 = knots[i].x - knots[i - 1].x, h1 = knots[i + 1].x - knots[i].x;
            a[i] = h0;
            b[i] = 2 * (h0 + h1);
            c[i] = h1;
            d[i] = 6 * ((knots[i + 1].y - knots[i].y) / h1 - (knots[i].y - knots[i - 1].y) / h0);
        }
        for (std::size_t i = 1; i < n; i++) {
            double w = a[i] / b[i - 1];
            b[i] -= w * c[i - 1];
            d[i] -= w * d[i - 1];
        }
        knots[n - 1].m = d[n - 1] / b[n - 1];
        for (std::size_t i = n - 1; i-- > 0;)
            knots[i].m = (d[i] - c[i] * knots[i + 1].m) / b[i];
    }
    double operator()(double x) const {
        auto right = std::upper_bound(knots.begin(), knots.end(), x, [](double x, const Knot &k) { return x < k.x; });
        if (right == knots.begin())
            ++right;
        if (right == knots.end())
            --right;
        const Knot &r = *right, &l = *(right - 1);
        double h = r.x - l.x, t = r.x - x, s = x - l.x;
        return l.m * t * t * t / (6 * h) + r.m * s * s * s / (6 * h) + (l.y / h - l.m * h / 6) * t +
               (r.y / h - r.m * h / 6) * s;
    }
};
double f(const double *x, int n) {
    std::vector<std::pair<double, double>> points;
    for (int i = n; i-- > 0;)
        points.emplace_back(i + 0.2 * x[i], x[i] * x[i]);
    Spline spline(points);
    double sum = 0;
    for (double t = 0.25; t < n - 0.5; t += 0.5)
        sum += spline(t + 0.05 * x[0]) * (1 + t);
    return sum;
}
} // namespace
REQUESTS(f)
