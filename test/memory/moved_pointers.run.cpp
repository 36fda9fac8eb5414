// Pointers that a growing vector moves before anybody looks behind them: what they lead to has its shadow from the start.
// DEFINE: %{level} =
// DEFINE: %{check} = %clangxx %{level} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{level} = -O1
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}
#include <cmath>
#include <cstdio>
#include <vector>

#include "backsweep.h"

struct Observer {
    virtual void see(double time, const std::vector<double> &q) = 0;
};

struct Energy : Observer {
    double sum = 0;
    void see(double, const std::vector<double> &q) override
    {
        for (double v : q)
            sum += v * v;
    }
};

struct Moment : Observer {
    double sum = 0;
    void see(double time, const std::vector<double> &q) override
    {
        for (double v : q)
            sum += v * time;
    }
};

static double watched(const double *x, int n)
{
    std::vector<double> q(x, x + n);
    std::vector<Observer *> observers;
    Energy energy;
    Moment moment;
    observers.push_back(&energy);
    observers.push_back(&moment);
    for (int step = 0; step < 15; step++) {
        double *rate = new double[n];
        for (int i = 0; i < n; i++)
            rate[i] = -x[0] * q[i];
        for (int i = 0; i < n; i++)
            q[i] += 0.05 * rate[i];
        for (Observer *observer : observers)
            observer->see(step * 0.05, q);
        delete[] rate;
    }
    return energy.sum + moment.sum;
}

int main()
{
    double x[3] = {0.9, 1.2, -0.4}, found[3] = {0};
    __backsweep_gradient(reinterpret_cast<void *>(watched), bs_dup, x, found, 3);
    int failures = 0;
    for (int i = 0; i < 3; i++) {
        double kept = x[i];
        x[i] = kept + 1e-6;
        double above = watched(x, 3);
        x[i] = kept - 1e-6;
        double wanted = (above - watched(x, 3)) / 2e-6;
        x[i] = kept;
        if (!(std::fabs(found[i] - wanted) <= 1e-6 * (1 + std::fabs(wanted)))) {
            std::printf("%d: %.12g, expected %.12g\n", i, found[i], wanted);
            failures++;
        }
    }
    return failures != 0;
}
