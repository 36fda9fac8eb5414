/* What C++ copies without saying what it is: objects that mix floats, integers and pointers, in arrays, vectors and
   algorithms of the standard library, in reverse and forward mode against central differences. */
// RUN: %clangxx -O0 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clangxx -O1 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clangxx -O2 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clangxx -O3 -ffast-math %include -fpass-plugin=%plugin %s -o %t %runtime && %t
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <utility>
#include <vector>

#include "backsweep.h"

constexpr int N = 6;

struct Event {
    double time;
    int kind;
    float weight;
};

static double rotated(double *x, int n) {
    Event events[N];
    for (int i = 0; i < n; i++) events[i] = Event{std::sin(x[i]), i, 0.5f};
    std::swap(events[1], events[4]);
    std::reverse(events, events + n);
    for (int i = 0; i + 1 < n; i++)
        if (events[i].time > events[i + 1].time) std::swap(events[i], events[i + 1]);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += events[i].time * events[i].time * (i + 1) * events[i].weight + events[i].kind;
    return sum;
}

static double grown(double *x, int n) {
    std::vector<Event> events;
    for (int i = 0; i < n; i++) events.push_back(Event{x[i] * x[i], i, 1.0f});
    std::vector<Event> kept;
    for (const Event &event : events)
        if (event.kind != 3) kept.push_back(event);
    double sum = 0;
    for (std::size_t i = 0; i < kept.size(); i++) sum += kept[i].time * double(i + 1) * kept[i].kind;
    return sum;
}

struct Complexish {
    float re, im;
};

static double chosen(double *x, int n) {
    Complexish z[N], best{0, 0};
    for (int i = 0; i < n; i++) z[i] = Complexish{float(x[i]), float(x[i] * x[i])};
    for (int i = 0; i < n; i++) {
        const Complexish &next = z[i].re > z[(i + 1) % n].re ? z[i] : z[(i + 1) % n];
        best.re += next.re * next.im;
        z[(i + 2) % n] = next;
    }
    for (int i = 0; i < n; i++) best.im += z[i].re * z[i].im * float(i + 1);
    return double(best.re) + best.im;
}

template <class F>
static int check(const char *name, F f, const double *found, const double *x, double fine) {
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        double y[N];
        std::memcpy(y, x, sizeof y), y[i] = x[i] + fine;
        double above = f(y, N);
        std::memcpy(y, x, sizeof y), y[i] = x[i] - fine;
        double slope = (above - f(y, N)) / (2 * fine);
        if (!(std::fabs(found[i] - slope) <= (fine < 1e-5 ? 1e-6 : 2e-2) * (1 + std::fabs(slope)))) {
            std::printf("%s %d: %.10g, differences say %.10g\n", name, i, found[i], slope);
            wrong = 1;
        }
    }
    return wrong;
}

/* The hook wants the name of a function, so this is a macro. */
#define TRY(f, fine)                                                              \
    do {                                                                          \
        double y[N], reverse[N] = {0}, forward[N];                                \
        std::memcpy(y, x, sizeof y);                                              \
        __backsweep_gradient((void *)f, bs_dup, y, reverse, N);                   \
        for (int i = 0; i < N; i++) {                                             \
            double d[N] = {0};                                                    \
            d[i] = 1;                                                             \
            std::memcpy(y, x, sizeof y);                                          \
            forward[i] = __backsweep_tangent((void *)f, bs_dup, y, d, N);         \
        }                                                                         \
        wrong |= check(#f, f, reverse, x, fine) | check(#f " forward", f, forward, x, fine); \
    } while (0)

int main() {
    double x[N] = {1.3, -0.4, 0.7, 2.1, 0.2, -1.1};
    int wrong = 0;
    TRY(rotated, 1e-6);
    TRY(grown, 1e-6);
    TRY(chosen, 1e-3);
    return wrong;
}
