// Pairs and classes that are sorted, queued and copied whole, with padding inside and behind; objects asked for their class.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1 0.35 -1.7
#include "source.h"
#include <algorithm>
#include <array>
#include <queue>
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

struct Term {
    virtual ~Term() = default;
    double k = 0;
};
struct Linear : Term {
    double a = 0;
};
struct Square : Term {
    double b = 0, c = 0;
};

double value(Term *term, double x) {
    if (auto *linear = dynamic_cast<Linear *>(term)) return linear->a * x + linear->k;
    if (auto *square = dynamic_cast<Square *>(term)) return square->b * x * x * square->k + square->c;
    return 0;
}

double f(const double *x, int n) {
    std::vector<std::pair<double, int>> pairs(n);
    for (int i = 0; i < n; i++) pairs[i] = {x[i] * x[i], i};
    std::sort(pairs.begin(), pairs.end());
    std::priority_queue<std::pair<double, int>> queue;
    for (auto &pair : pairs) queue.push(pair);
    double sum = 0;
    for (int k = 1; !queue.empty(); k++) {
        auto [time, i] = queue.top();
        queue.pop();
        sum += time * k * x[i];
    }
    Stepper stepper;
    stepper.h = 0.1 * x[3];
    for (int i = 0; i < 3; i++) stepper.s.q[i] = x[i];
    for (int i = 0; i < n; i++) stepper.step();
    Linear linear;
    linear.a = x[4];
    linear.k = x[5];
    Square square;
    square.b = x[0];
    square.c = x[1];
    square.k = x[2];
    sum += value(&linear, sum) + value(&square, x[3]);
    return sum + stepper.s.q[0] * stepper.s.q[1] + stepper.s.q[2] * stepper.s.n + stepper.s.on;
}

}  // namespace

REQUESTS(f)
