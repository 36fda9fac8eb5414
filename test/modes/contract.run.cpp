/* Calls that are contracted in C++: a member function of an object that is read, a template, what another function of the same kind calls,
 * chosen by cost; what throws is not contracted, and is right. */
// RUN: %clangxx -O0 %pass %include %s -o %t.O0 %runtime && %t.O0
// RUN: %clangxx -O2 %pass %include %s -o %t.O2 %runtime && %t.O2
// RUN: %clangxx -O2 -g %include -S -emit-llvm -Xclang -disable-llvm-passes %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck %s
// CHECK: contracted, {{.*}} calls gradient _Z5solveIdET_S0_S0_S0_ (out, out, const) width 1 primal contracted; by cost
// CHECK: contracted, {{.*}} calls gradient _ZNK5Gauge4readEd (const, out) width 1 primal contracted; its gradient
// CHECK: calls reverse _Z7throwerd {{.*}}; it should be contracted, and it cannot: an exception may leave it
#include <cmath>
#include <cstdio>

#include "backsweep.hpp"
#include "backsweep_rt.h"

template <class T> T solve(T a, T b, T start)
{
    T y = start;
    for (int i = 0; i < 100; i++) {
        const T d = (y * y * y + a * y - b) / (3 * y * y + a);
        y -= d;
        if (std::fabs(d) < 1e-14)
            break;
    }
    return y;
}

struct Gauge {
    double weights[5];
    __attribute__((annotate("backsweep_contract"))) double read(double x) const
    {
        double sum = 0, power = x;
        for (int i = 0; i < 5; i++) {
            for (int k = 0; k < 12; k++)
                power = std::sin(power + weights[i]);
            sum += power;
        }
        return sum;
    }
};

static const Gauge gauge = {{0.1, 0.2, -0.3, 0.05, 0.2}};

__attribute__((annotate("backsweep_contract"))) double thrower(double x)
{
    for (int i = 0; i < 20; i++) {
        if (x > 1e9)
            throw 1;
        x = std::cos(x);
    }
    return x;
}

constexpr int cells = 20, steps = 100;

static double model(double *u)
{
    for (int t = 0; t < steps; t++)
        for (int i = 0; i < cells; i++)
            u[i] = 0.97 * u[i] + 0.03 * solve(1 + u[i] * u[i], 1 + 0.1 * u[(i + 1) % cells], 1.0);
    double sum = 0;
    for (int i = 0; i < cells; i++)
        sum += gauge.read(u[i]) * thrower(u[i] + sum);
    return sum;
}

static double at(int cell, double by, double *du)
{
    double u[cells];
    for (int i = 0; i < cells; i++)
        u[i] = 0.3 + 0.2 * std::sin(i);
    u[cell] += by;
    if (du == nullptr)
        return model(u);
    __backsweep_gradient((void *)model, u, du);
    return 0;
}

int main()
{
    double du[cells] = {};
    at(0, 0, du);
    struct bs_tape_stats stats;
    bs_tape_stats(bs_tape_of_thread(), &stats);
    int wrong = stats.peak > 8 * 4 * cells * steps + 16384;
    if (wrong)
        std::printf("%zu bytes on the tape\n", (size_t)stats.peak);
    for (int i = 0; i < cells; i += 3) {
        const double want = (at(i, 1e-5, nullptr) - at(i, -1e-5, nullptr)) / 2e-5;
        if (!(std::fabs(du[i] - want) <= 1e-6 * (1e-6 + std::fabs(want)) + 1e-9)) {
            std::printf("%d: %.12g, by differences %.12g\n", i, du[i], want);
            wrong = 1;
        }
    }
    return wrong;
}
