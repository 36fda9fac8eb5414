// Numbers that depend on the inputs are written into strings, some for an exception that is caught; text carries no derivative.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>
namespace {
struct Event {
    double at, amount;
    std::string note;
};
double safe_log(double v) {
    if (v <= 0)
        throw std::domain_error("log of " + std::to_string(v));
    return std::log(v);
}
double f(const double *x, int n) {
    std::vector<Event> events;
    for (int i = 0; i < n; i++)
        events.push_back({x[i], 1 + x[(i + 1) % n], "event number " + std::to_string(i) + " of " + std::to_string(x[i])});
    double s = 0;
    for (const auto &event : events)
        s += event.at * event.amount * (event.note.size() > 10 ? 1 : 2) + safe_log(event.at);
    return s;
}
}
REQUESTS(f)
