// Functions by name: a closure of one number lies in the function itself, beside text in a node of a map, and is moved there as integers.
// Who drops the nodes calls himself, drops texts, and ends the program where a function is none of those that are known.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
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
