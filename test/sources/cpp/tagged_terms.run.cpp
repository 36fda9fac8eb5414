// std::variant of structs with an integer where others have a float, visited, changed and copied in a vector; std::optional.
// RUN: %levels %s conditioned 0.9 1.1 0.7 1.3
#include "source.h"
#include <cmath>
#include <optional>
#include <variant>
#include <vector>
#include <string>
namespace {
struct Constant { double value; };
struct Power { int exponent; double scale; };
struct Wave { double amplitude, phase; int harmonics; };
using Term = std::variant<Constant, Power, Wave, int>;
template <class... Ts> struct overloaded : Ts... { using Ts::operator()...; };
double evaluate(const Term &t, double x) {
    return std::visit(overloaded{
        [](const Constant &c) { return c.value; },
        [x](const Power &p) { return p.scale * std::pow(x, p.exponent); },
        [x](const Wave &w) { double s = 0; for (int k = 1; k <= w.harmonics; k++) s += w.amplitude * std::sin(k * x + w.phase) / k; return s; },
        [x](int k) { return k * x; }}, t);
}
std::optional<double> safe_log(double v) { if (v > 0) return std::log(v); return std::nullopt; }
double f(const double *x, int n) {
    std::vector<Term> terms;
    terms.push_back(Constant{x[0]});
    terms.push_back(Power{3, x[1]});
    terms.push_back(Wave{x[2], x[3 % n], 4});
    terms.push_back(2);
    double s = 0;
    for (const auto &t : terms) s += evaluate(t, x[0] * 0.5);
    for (auto &t : terms)
        if (auto *p = std::get_if<Power>(&t)) { p->scale *= x[2]; p->exponent++; }
    for (const auto &t : terms) s += 0.3 * evaluate(t, x[1]);
    s += safe_log(x[1]).value_or(3.0) + safe_log(-x[1]).value_or(x[3 % n]);
    return s;
}
}
REQUESTS(f)
