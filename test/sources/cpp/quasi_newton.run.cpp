// Newton's method and BFGS on a function given as a callable, with a history of structs and text for a log.
// RUN: %levels %s conditioned 0.8 1.3 0.4
#include "source.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <sstream>
#include <string>
#include <vector>
namespace {
using Point = std::array<double, 2>;
struct Step {
    int iteration;
    double value, gradient;
    std::string note;
};
template <class F> double derivative(F f, Point p, int k) {
    double h = 1e-3;
    p[k] += h;
    double a = f(p);
    p[k] -= 2 * h;
    return (a - f(p)) / (2 * h);
}
template <class F> Point minimise(F f, Point p, std::vector<Step> &history) {
    std::array<std::array<double, 2>, 2> b{{{1, 0}, {0, 1}}};
    Point g{derivative(f, p, 0), derivative(f, p, 1)};
    for (int k = 0; k < 6; k++) {
        Point d{-b[0][0] * g[0] - b[0][1] * g[1], -b[1][0] * g[0] - b[1][1] * g[1]};
        double t = 1, f0 = f(p), slope = d[0] * g[0] + d[1] * g[1];
        while (t > 1e-3 && f({p[0] + t * d[0], p[1] + t * d[1]}) > f0 + 1e-4 * t * slope)
            t /= 2;
        Point s{t * d[0], t * d[1]};
        p = {p[0] + s[0], p[1] + s[1]};
        Point h{derivative(f, p, 0), derivative(f, p, 1)}, y{h[0] - g[0], h[1] - g[1]};
        double sy = s[0] * y[0] + s[1] * y[1];
        history.push_back({k, f0, std::hypot(g[0], g[1]), "step of length " + std::to_string(k)});
        if (sy < 1e-8)
            break;
        Point by{b[0][0] * y[0] + b[0][1] * y[1], b[1][0] * y[0] + b[1][1] * y[1]};
        double yby = y[0] * by[0] + y[1] * by[1];
        for (int i = 0; i < 2; i++)
            for (int j = 0; j < 2; j++)
                b[i][j] += (1 + yby / sy) * s[i] * s[j] / sy - (by[i] * s[j] + s[i] * by[j]) / sy;
        g = h;
    }
    return p;
}
double f(const double *x, int) {
    std::vector<Step> history;
    auto valley = [x](const Point &p) {
        return (p[0] - x[0]) * (p[0] - x[0]) + x[1] * (p[1] - p[0] * p[0]) * (p[1] - p[0] * p[0]) + 0.1 * p[1] * x[2];
    };
    Point p = minimise(valley, {0.5, 0.5}, history);
    double s = p[0] * p[0] + 2 * p[1];
    for (const Step &step : history)
        s += step.value / (1 + step.iteration) + 1e-3 * double(step.note.size());
    return s;
}
} // namespace
REQUESTS(f)
