// RUN: %levels %s double 0.3 0.7 0.2 1.1
// Settings are read from text in the middle of active code: whether a stream has more is found behind a pointer to what it knows of its own
// layout.
#include "source.h"
#include <cmath>
#include <map>
#include <sstream>
#include <string>
#include <vector>

static std::map<std::string, double> read_settings(const std::string &text)
{
    std::map<std::string, double> settings;
    std::istringstream words(text);
    std::string word;
    while (words >> word) {
        auto sign = word.find('=');
        settings[word.substr(0, sign)] = std::stod(word.substr(sign + 1));
    }
    return settings;
}

static double f(const double *x, int n)
{
    std::vector<double> state(x, x + n);
    auto settings = read_settings("steps=7 rate=0.25 decay=0.5");
    for (int step = 0; step < int(settings["steps"]); step++)
        for (int i = 0; i < n; i++)
            state[i] += settings["rate"] * (std::sin(state[(i + 1) % n]) - settings["decay"] * state[i]);
    double sum = 0;
    std::istringstream lines("1.5 x\n0.5 y\n");
    std::string line;
    for (int i = 0; std::getline(lines, line); i++)
        sum += std::stod(line) * state[i % n] * state[i % n];
    return sum;
}

REQUESTS(f)
