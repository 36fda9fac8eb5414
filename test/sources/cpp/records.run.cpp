// Pairs and classes that are sorted and copied whole, with padding inside and behind.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1 0.35 -1.7
#include "source.h"
#include <algorithm>
#include <array>
#include <utility>
#include <vector>

namespace {

struct State {
    std::array<double, 3> q;
    int n;
    bool on;
    State() : q{}, n(0), on(false) {}
};

struct Stepper {
    State s;
    double h = 0;
    void step() {
        State next = s;
        for (int i = 0; i < 3; i++) next.q[i] += h * s.q[(i + 1) % 3] * s.q[i];
        next.n++;
        next.on = !next.on;
        s = next;
    }
};

double f(const double *x, int n) {
    std::vector<std::pair<double, int>> pairs(n);
    for (int i = 0; i < n; i++) pairs[i] = {x[i] * x[i], i};
    std::sort(pairs.begin(), pairs.end());
    double sum = 0;
    for (int i = 0; i < n; i++) sum += pairs[i].first * (i + 1) * x[pairs[i].second];
    Stepper stepper;
    stepper.h = 0.1 * x[3];
    for (int i = 0; i < 3; i++) stepper.s.q[i] = x[i];
    for (int i = 0; i < n; i++) stepper.step();
    return sum + stepper.s.q[0] * stepper.s.q[1] + stepper.s.q[2] * stepper.s.n + stepper.s.on;
}

}  // namespace

REQUESTS(f)
