/* Tangents of the gradient of a recursion that comes from owner to owner by pointers that do not own: whether somebody still lives is found out by
 * exchanging a count for the next, and whether that was done is on the tape. A count is no float's bits. */
// RUN: %clangxx -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clangxx -O2 %pass %include %s -o %t.O2 -lm %runtime && %t.O2
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "backsweep.h"

struct Neuron {
    std::weak_ptr<Neuron> next;
    double charge = 0;

    void fire(int depth)
    {
        charge *= charge;
        if (depth > 0)
            if (auto target = next.lock()) {
                target->charge += 0.1 * charge;
                target->fire(depth - 1);
            }
    }
};

extern "C" double f(const double *x, int n)
{
    auto first = std::make_shared<Neuron>(), second = std::make_shared<Neuron>(), third = std::make_shared<Neuron>();
    first->next = second;
    second->next = third;
    first->charge = x[0] * x[n - 1];
    second->charge = x[1] + x[2];
    third->charge = x[3] * x[4];
    first->fire(3);
    return first->charge * second->charge * third->charge;
}

static void gradient(const double *x, double *dx, int n)
{
    __backsweep_gradient((void *)f, bs_dup, x, dx, bs_const, n);
}

int main()
{
    constexpr int n = 6;
    const double x[n] = {0.7, 1.3, 0.4, 0.9, 0.2, 0.6}, v[n] = {0.3, -0.2, 0.5, 0.1, -0.7, 0.4}, h = 1e-5;
    double g[n] = {}, hv[n] = {}, ahead[n] = {}, behind[n] = {}, up[n], down[n];
    __backsweep_tangent((void *)gradient, bs_dup, x, v, bs_dup, g, hv, bs_const, n);
    for (int i = 0; i < n; i++)
        up[i] = x[i] + h * v[i], down[i] = x[i] - h * v[i];
    gradient(up, ahead, n);
    gradient(down, behind, n);
    int bad = 0;
    for (int i = 0; i < n; i++) {
        double expected = (ahead[i] - behind[i]) / (2 * h);
        if (std::abs(hv[i] - expected) > 1e-7 * std::max(1.0, std::abs(expected))) {
            std::printf("%d: %.12g, not %.12g\n", i, hv[i], expected);
            bad = 1;
        }
        double one[n] = {}, first = 0;
        one[i] = 1;
        first = __backsweep_tangent((void *)f, bs_dup, x, one, bs_const, n);
        if (std::abs(g[i] - first) > 5e-13 * std::max(1.0, std::abs(first))) {
            std::printf("gradient %d: %.15g, not %.15g\n", i, g[i], first);
            bad = 1;
        }
    }
    return bad;
}
