// std::stable_sort and std::inplace_merge take memory for a while, by `operator new` that returns null where there is none.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <algorithm>
#include <vector>
namespace {
struct Sample {
    double t, w;
};
double f(const double *x, int n) {
    std::vector<double> v(x, x + n);
    std::stable_sort(v.begin(), v.end());
    std::vector<Sample> p;
    for (int i = 0; i < 3 * n; i++)
        p.push_back({x[i % n] * (i + 1), (i * 5 % 7) + x[0]});
    std::stable_sort(p.begin(), p.end(), [](const Sample &a, const Sample &b) { return a.w > b.w; });
    double s = 0;
    for (int i = 0; i < n; i++)
        s += v[i] * v[i] * (i + 1);
    for (size_t i = 1; i < p.size(); i++)
        s += (p[i].t - p[i - 1].t) * (p[i].w + p[i - 1].w) / 2 * p[i].t;
    return s;
}
}
REQUESTS(f)
