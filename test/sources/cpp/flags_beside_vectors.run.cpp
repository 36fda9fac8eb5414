// RUN: %levels %s double 0.8 1.3 -0.4 2.1
// A row of vectors that is indexed when the program runs, beside vectors of letters and of flags in one struct: what allocates letters is
// what allocates anything else.
#include "source.h"
#include <array>
#include <cmath>
#include <string>
#include <vector>

struct Layers {
    std::array<std::vector<double>, 3> fields;
    std::vector<char> kinds;
    std::vector<unsigned char> levels;
    std::string name;

    explicit Layers(int n) : kinds(n, 'a'), levels(n, 1), name("layers of a column")
    {
        for (int q = 0; q < 3; q++)
            fields[q].assign(n, 0.5 + q);
    }
    void mark(int i, char kind)
    {
        kinds[i] = kind;
        levels.push_back(static_cast<unsigned char>(i));
    }
};

static double f(const double *x, int n)
{
    Layers layers(n), before(0);
    double sum = 0;
    for (int step = 0; step < 2; step++) {
        before = layers;
        for (int i = 0; i < n; i++) {
            layers.fields[i % 3][i] += x[i] * before.fields[(i + 1) % 3][(i + step) % n];
            layers.mark(i, i % 2 ? 'b' : 'c');
        }
    }
    for (auto &field : layers.fields)
        for (int i = 0; i < n; i++)
            sum += std::sin(field[i]) * (layers.kinds[i] - 'a') * layers.levels[n + i] * layers.name.size() * 0.1;
    return sum;
}
REQUESTS(f)
