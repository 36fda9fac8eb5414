// Bodies with a kind that only this file knows beside numbers, sorted, with pairs of number and kind; lists of neighbours.
// RUN: %levels %s conditioned 0.9 1.1 0.7 1.3
#include "source.h"
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>
#include <utility>
namespace {
enum class Kind { Light, Heavy };
struct V3 { double x, y, z; V3 operator+(const V3 &o) const { return {x + o.x, y + o.y, z + o.z}; } V3 operator-(const V3 &o) const { return {x - o.x, y - o.y, z - o.z}; } V3 operator*(double s) const { return {x * s, y * s, z * s}; } V3 &operator+=(const V3 &o) { return *this = *this + o; } double dot(const V3 &o) const { return x * o.x + y * o.y + z * o.z; } };
struct Particle { V3 pos, vel; double mass; Kind kind; bool fixed; };
struct System { std::vector<Particle> ps; std::vector<std::pair<int, int>> pairs; double G;
    void neighbours(double r) { pairs.clear(); for (int i = 0; i < (int)ps.size(); i++) for (int j = i + 1; j < (int)ps.size(); j++) { V3 d = ps[i].pos - ps[j].pos; if (d.dot(d) < r * r) pairs.emplace_back(i, j); } }
    void step(double dt) { std::vector<V3> force(ps.size(), V3{0, 0, 0});
        for (auto [i, j] : pairs) { V3 d = ps[j].pos - ps[i].pos; double r2 = d.dot(d) + 0.01; V3 F = d * (G * ps[i].mass * ps[j].mass / (r2 * std::sqrt(r2))); force[i] += F; force[j] += F * -1; }
        std::for_each(ps.begin(), ps.end(), [&, k = size_t(0)](Particle &p) mutable { if (!p.fixed) { p.vel += force[k] * (dt / p.mass); p.pos += p.vel * dt; } k++; }); }
    double energy() const { double e = 0; for (auto &p : ps) e += 0.5 * p.mass * p.vel.dot(p.vel) * (p.kind == Kind::Heavy ? 2 : 1); return e; } };
double f(const double *x, int n) {
    System s; s.G = x[0];
    for (int i = 0; i < 5; i++) s.ps.push_back({{x[i % n], 0.5 * i, x[(i + 1) % n]}, {0, x[(i + 2) % n], 0.1}, 1.0 + 0.2 * i, i % 2 ? Kind::Heavy : Kind::Light, i == 3});
    std::sort(s.ps.begin(), s.ps.end(), [](auto &a, auto &b) { return a.pos.x < b.pos.x; });
    std::vector<std::pair<double, Kind>> order;
    for (int k = 0; k < 6; k++) { if (k % 2 == 0) s.neighbours(1.8); s.step(0.05); }
    for (auto &p : s.ps) order.emplace_back(p.pos.z, p.kind);
    std::sort(order.begin(), order.end());
    double r = s.energy(); int k = 1; for (auto &[z, kind] : order) r += z * k++ * (kind == Kind::Heavy ? 0.5 : 1.0);
    return r;
}
}
REQUESTS(f)
