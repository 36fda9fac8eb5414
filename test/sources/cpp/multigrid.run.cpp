// A heat equation on a grid class with ghost cells, boundary conditions by lambdas, and a multigrid cycle by recursion.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <cmath>
#include <functional>
#include <vector>
namespace {
class Grid {
    int n;
    std::vector<double> u;

  public:
    explicit Grid(int n) : n(n), u((n + 2) * (n + 2)) {}
    int size() const { return n; }
    double &at(int i, int j) { return u[i * (n + 2) + j]; }
    double at(int i, int j) const { return u[i * (n + 2) + j]; }
    void fill(const std::function<double(int, int)> &g) {
        for (int i = 0; i <= n + 1; i++)
            for (int j = 0; j <= n + 1; j++)
                at(i, j) = g(i, j);
    }
};
void smooth(Grid &u, const Grid &f, double h, int rounds) {
    for (int r = 0; r < rounds; r++)
        for (int i = 1; i <= u.size(); i++)
            for (int j = 1; j <= u.size(); j++)
                u.at(i, j) =
                    0.25 * (u.at(i - 1, j) + u.at(i + 1, j) + u.at(i, j - 1) + u.at(i, j + 1) - h * h * f.at(i, j));
}
Grid residual(const Grid &u, const Grid &f, double h) {
    Grid r(u.size());
    for (int i = 1; i <= u.size(); i++)
        for (int j = 1; j <= u.size(); j++)
            r.at(i, j) = f.at(i, j) -
                         (u.at(i - 1, j) + u.at(i + 1, j) + u.at(i, j - 1) + u.at(i, j + 1) - 4 * u.at(i, j)) / (h * h);
    return r;
}
void cycle(Grid &u, const Grid &f, double h) {
    smooth(u, f, h, 2);
    if (u.size() <= 1)
        return;
    Grid r = residual(u, f, h);
    int m = u.size() / 2;
    Grid coarse(m), error(m);
    for (int i = 1; i <= m; i++)
        for (int j = 1; j <= m; j++)
            coarse.at(i, j) = r.at(2 * i, 2 * j);
    cycle(error, coarse, 2 * h);
    for (int i = 1; i <= m; i++)
        for (int j = 1; j <= m; j++)
            u.at(2 * i, 2 * j) += error.at(i, j);
    smooth(u, f, h, 2);
}
double f(const double *x, int) {
    Grid u(7), source(7);
    source.fill([x](int i, int j) { return x[0] * std::sin(x[1] * i) * std::cos(x[2] * j); });
    u.fill([x](int i, int j) { return i == 0 || j == 0 ? x[3] * (i + j) : 0.0; });
    for (int k = 0; k < 2; k++)
        cycle(u, source, 0.125);
    double s = 0;
    for (int i = 1; i <= 7; i++)
        for (int j = 1; j <= 7; j++)
            s += u.at(i, j) * u.at(i, j);
    return s;
}
} // namespace
REQUESTS(f)
