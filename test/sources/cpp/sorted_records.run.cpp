// Structs of integers and floats that are sorted by value, more of them than are sorted by insertion alone: their iterators lie in
// slots where nothing was optimised, and only what is stored there says what is copied.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1 0.35 -1.7
#include "source.h"
#include <algorithm>
#include <vector>

namespace {

struct Sample {
    int row, column;
    double weight;
};

struct Event {
    double time;
    int kind;
};

double f(const double *x, int n)
{
    std::vector<Sample> samples;
    std::vector<Event> events(40);
    for (int i = 0; i < 40; i++) {
        samples.push_back({i, 7 * i % 40, 7 * i % 40 + 0.05 * x[i % n] * (1 + i % 3)});
        events[i] = {11 * i % 40 + 0.05 * x[(i + 1) % n] * x[i % n], i};
    }
    std::sort(samples.begin(), samples.end(), [](const Sample &a, const Sample &b) { return a.weight < b.weight; });
    std::sort(events.begin(), events.end(), [](const Event &a, const Event &b) { return a.time > b.time; });
    double sum = 0;
    for (int i = 0; i < 40; i++)
        sum += (i + 1) * samples[i].weight * samples[i].weight * (samples[i].column + 1) + events[i].time * (events[i].kind % 5 - i);
    return sum;
}

} // namespace

REQUESTS(f)
