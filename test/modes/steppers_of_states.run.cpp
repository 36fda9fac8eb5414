// One template of steppers for states of numbers and for states of vectors, behind pointers to their base: what stands at the same place in
// the tables of both takes other states, and is no choice where the object was made in sight. An object made in another function, one whose
// type is chosen when the program runs, and one that lies in the middle of another are beside them.
// RUN: %clang -O1 -c %root/test/sources/Inputs/check.c -o %t.check.o
// RUN: %clangxx -O0 -std=c++20 %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t double 0.7 1.3 0.4 0.9
// RUN: %clangxx -O1 -std=c++20 %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t double 0.7 1.3 0.4 0.9
// RUN: %clangxx -O2 -std=c++20 %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t double 0.7 1.3 0.4 0.9
// RUN: %clangxx -O3 -ffast-math -std=c++20 %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime && %t double 0.7 1.3 0.4 0.9
#include <array>
#include <memory>
#include <vector>

#include "source.h"

template <class State>
struct Stepper {
    virtual void step(State &y, double h) = 0;
    virtual int order() const = 0;
    virtual ~Stepper() = default;
};

template <class State>
struct Euler final : Stepper<State> {
    State rate;
    explicit Euler(const State &y) : rate(y) {}
    void step(State &y, double h) override
    {
        rate = y;
        for (int i = 0; i < 3; i++)
            y[i] += h * rate[i] * rate[(i + 1) % 3];
    }
    int order() const override { return 1; }
};

template <class State>
struct Heun final : Stepper<State> {
    State first, second;
    explicit Heun(const State &y) : first(y), second(y) {}
    void step(State &y, double h) override
    {
        first = y;
        for (int i = 0; i < 3; i++)
            second[i] = y[i] + h * first[i] * first[(i + 1) % 3];
        for (int i = 0; i < 3; i++)
            y[i] += h / 2 * (first[i] * first[(i + 1) % 3] + second[i] * second[(i + 1) % 3]);
    }
    int order() const override { return 2; }
};

using Few = std::array<double, 3>;
using Many = std::vector<double>;

template <class State>
static double run(Stepper<State> &stepper, State y, int steps)
{
    for (int k = 0; k < steps; k++)
        stepper.step(y, 0.05);
    return y[0] + 2 * y[1] + stepper.order() * y[2];
}

// Not inlined, so who calls it sees no table.
__attribute__((noinline)) static std::unique_ptr<Stepper<Few>> make(bool exact)
{
    if (exact)
        return std::make_unique<Heun<Few>>(Few{});
    return std::make_unique<Euler<Few>>(Few{});
}

struct Pair {
    double weight;
    Euler<Few> few;
    Heun<Few> many;
};

static double f(const double *x, int n)
{
    auto few = std::make_unique<Euler<Few>>(Few{});
    std::unique_ptr<Stepper<Many>> many = std::make_unique<Heun<Many>>(Many(3));
    double sum = run<Few>(*few, Few{x[0], x[1], 1}, n) + run<Many>(*many, Many{x[2], 1, x[3]}, n + 1);
    // The same owner has an object of another class later.
    many = std::make_unique<Euler<Many>>(Many(3));
    sum += run<Many>(*many, Many{x[1], x[0], x[3]}, n);
    sum += run<Few>(*make(n > 3), Few{x[0], x[2], x[3]}, 2) + run<Few>(*make(n < 3), Few{x[3], x[2], x[1]}, 2);
    Pair pair{x[0] * x[1], Euler<Few>(Few{}), Heun<Few>(Few{})};
    Stepper<Few> &chosen = x[0] > x[1] ? static_cast<Stepper<Few> &>(pair.few) : pair.many;
    return sum + pair.weight * (run<Few>(pair.many, Few{x[1], x[2], x[3]}, 2) + run<Few>(chosen, Few{x[0], x[1], x[2]}, 3));
}

REQUESTS(f)
