// RUN: %clang -O1 -c %S/../sources/Inputs/check.c -o %t.check.o
// RUN: %clangxx -std=c++20 -O0 -g %pass %include -I%S/../sources/Inputs %s %t.check.o -o %t %runtime && %t double 0.9 1.1 0.7 1.3 0.4
// RUN: %clangxx -std=c++20 -O2 -g %pass %include -I%S/../sources/Inputs %s %t.check.o -o %t %runtime && %t double 0.9 1.1 0.7 1.3 0.4
// RUN: %clangxx -std=c++20 -O3 -ffast-math -g %pass %include -I%S/../sources/Inputs %s %t.check.o -o %t %runtime && %t double 0.9 1.1 0.7 1.3 0.4
// Callbacks that keep a number, in a vector beside one of records of a number, an integer, a flag and a name.
#include "source.h"
#include <functional>
#include <string>
#include <utility>
#include <vector>
namespace {
struct Atom { double r; int type; bool fixed; std::string tag; };
struct World {
    std::vector<Atom> atoms;
    std::vector<std::function<void(World &, double)>> hooks;
    double energy;
};
double f(const double *x, int n) {
    World w;
    w.energy = x[0];
    for (int i = 0; i < 8; i++) {
        Atom a{x[i % n], i % 2, i == 7, "atom" + std::to_string(i)};
        w.atoms.push_back(std::move(a));
    }
    double target = 0.1 * x[1];
    w.hooks.push_back([target](World &s, double dt) { s.energy *= 1 + dt * target; });
    int calls = 0;
    double sum = 0;
    w.hooks.emplace_back([&](World &s, double) { if (++calls % 3 == 0) sum += s.energy; });
    for (int i = 0; i < 12; i++)
        for (auto &hook : w.hooks) hook(w, 0.1);
    w.atoms.erase(w.atoms.begin() + 2);
    std::swap(w.atoms[0], w.atoms[3]);
    for (auto &a : w.atoms) if (!a.fixed) sum += a.r * a.r * double(a.tag.size()) * (1 + a.type);
    return w.energy + sum;
}
}
REQUESTS(f)
