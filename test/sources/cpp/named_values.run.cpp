// std::map from names to numbers: made of a list of pairs, one of which is erased, one found and one that is not there.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <map>
#include <string>
namespace {
double f(const double *x, int n) {
    std::map<std::string, double> named{{"alpha", x[0]}, {"a name too long for the string itself", x[3]}};
    named.erase("alpha");
    double s = named.begin()->second * named.count("alpha") + named.at("a name too long for the string itself");
    return s * s * x[n - 1];
}
}
REQUESTS(f)
