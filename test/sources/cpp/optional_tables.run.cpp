// RUN: %levels %s double 0.8 1.3 -0.4 2.1
// Tables that are there or not: a pointer to one, or null, whose members are steps from null once the optimiser has chosen them.
#include "source.h"
#include <functional>
#include <map>
#include <numeric>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

struct Column {
    std::unordered_map<std::string, std::vector<double>> tracers;
    std::vector<std::pair<std::string, std::function<void(Column &, double)>>> processes;

    void step(double dt, std::map<std::string, double> *budget)
    {
        for (auto &[name, process] : processes) {
            process(*this, dt);
            if (!budget)
                continue;
            double total = 0;
            for (auto &[tracer, cells] : tracers)
                total += std::accumulate(cells.begin(), cells.end(), 0.0);
            (*budget)[name] += total * dt;
        }
    }
};

static double f(const double *x, int n)
{
    std::map<int, double> odd;
    for (int i = 1; i < n; i++) {
        auto *table = i % 2 ? &odd : nullptr;
        if (table)
            (*table)[i % 3] += x[i] * x[i - 1];
    }
    Column column;
    column.tracers["salt"] = {x[0], x[1], x[2]};
    column.processes.emplace_back("growth", [rate = x[3]](Column &c, double dt) {
        for (double &cell : c.tracers.at("salt"))
            cell += dt * rate * cell;
    });
    std::map<std::string, double> budget;
    for (int s = 0; s < 3; s++)
        column.step(0.1, s % 2 ? &budget : nullptr);
    double sum = budget["growth"] * x[0];
    for (auto &[at, value] : odd)
        sum += value * value * (at + 1);
    for (double cell : column.tracers["salt"])
        sum += cell * cell;
    return sum;
}
REQUESTS(f)
