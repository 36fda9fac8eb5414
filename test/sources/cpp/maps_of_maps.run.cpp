// Maps whose values are maps and sets: where a walk over the outer one ends, its head in a stack slot is taken for a node, and what is as far
// behind it as a node's inner map or its numbers would lie behind the slot.
// RUN: %levels %s double 0.53 1.37 0.21 0.83
#include <map>
#include <set>
#include <string>
#include <vector>

#include "source.h"

static double of_sparse(const double *x, int n)
{
    std::map<int, std::map<int, double>> rows;
    for (int i = 0; i < n; i++) {
        rows[i][i] += 2 + x[i] * x[i];
        if (i)
            rows[i][i - 1] -= x[i - 1];
        rows[(3 * i + 1) % n][i] += 0.1 * x[i];
    }
    double sum = 0;
    for (int sweep = 0; sweep < 2; sweep++)
        for (const auto &[i, row] : rows)
            for (const auto &[j, a] : row)
                sum += a * x[j] * x[i] / (1 + sweep);
    return sum + rows.at(1).at(0);
}

static double of_sets(const double *x, int n)
{
    std::map<int, std::set<double>> bins;
    for (int i = 0; i < n; i++)
        bins[i % 2].insert(x[i] * x[i]);
    double sum = 0, weight = 1;
    for (const auto &bin : bins)
        for (double entry : bin.second)
            sum += entry * (weight *= 1.5);
    return sum;
}

static double of_names(const double *x, int n)
{
    std::map<std::string, std::map<std::string, double>> table;
    const char *species[] = {"water", "salt", "oxygen"};
    for (int i = 0; i < n; i++) {
        table[species[i % 3]]["flux"] += x[i];
        table[species[i % 2]]["load"] += x[i] * x[(i + 1) % n];
    }
    table["salt"].erase("load");
    double sum = 0;
    for (auto &[name, entries] : table)
        for (auto &[key, value] : entries)
            sum += value * value * (name.size() + key.size());
    return sum;
}

static double of_lists(const double *x, int n)
{
    std::map<int, std::map<int, std::vector<double>>> cells;
    for (int i = 0; i < n; i++)
        cells[i / 2][i % 2].push_back(x[i] * x[0]);
    double sum = 0;
    for (auto &outer : cells)
        for (auto &inner : outer.second)
            for (double value : inner.second)
                sum += value * value * (outer.first + 2 * inner.first + 1);
    return sum;
}

static double f(const double *x, int n) { return of_sparse(x, n) + of_sets(x, n) + of_names(x, n) + of_lists(x, n); }

REQUESTS(f)
