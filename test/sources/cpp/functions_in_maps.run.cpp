// Functions by name: a closure of one number lies in the function itself, beside text in a node of a map, and is moved there as integers.
// Who drops the nodes calls himself, drops texts, and ends the program where a function is none of those that are known.
// Under UBSan the checks of pointers stand between what is moved, and it is refused.
// RUN: %clang -O1 -c %S/../Inputs/check.c -o %t.check.o
// RUN: %clangxx -std=c++20 -O0 -g %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O1 %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O2 %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O3 %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O2 -ffast-math %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
// RUN: %clangxx -std=c++20 -O2 -g -fsanitize=address %include -I%S/../Inputs %pass %s %t.check.o -o %t %runtime && %t conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <functional>
#include <map>
#include <string>
namespace {
double f(const double *x, int n) {
    std::map<std::string, std::function<double(double)>> steps;
    steps["square"] = [](double s) { return s * s; };
    steps["scale"] = [w = x[0]](double s) { return w * s; };
    double t = x[n - 1];
    for (auto &step : steps) t += step.second(x[1]) * x[2];
    return t * t;
}
}
REQUESTS(f)
