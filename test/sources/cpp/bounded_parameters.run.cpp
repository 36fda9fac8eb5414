// Parameters with optional bounds in a vector, copied in a loop and read by constant indices.
// RUN: %levels %s conditioned 0.9 1.1 0.7 1.3
#include "source.h"
#include <cmath>
#include <optional>
#include <vector>
namespace {
struct Parameter {
    double value;
    std::optional<double> lower, upper;
    double bounded() const {
        double bound = value;
        if (lower && bound < *lower) bound = *lower;
        if (upper && bound > *upper) bound = *upper;
        return bound;
    }
};
std::optional<double> root(double of) {
    if (of < 0) return std::nullopt;
    return std::sqrt(of);
}
double f(const double *x, int n) {
    std::vector<Parameter> parameters{{x[0], 0.01, std::nullopt}, {x[2], std::nullopt, 0.5 * x[3]}, {0.1 * x[1], x[2] * x[3], 5.0}};
    double sum = 0;
    for (int i = 0; i < 3; i++) {
        parameters[0].value *= 1 + 0.1 * parameters[1].bounded();
        sum += parameters[0].bounded() * parameters[2].bounded();
    }
    return sum * root(x[1]).value_or(3.0) + root(-x[1]).value_or(x[0]);
}
}
REQUESTS(f)
