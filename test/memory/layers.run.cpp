/* Vectors that a function makes in each pass from the vector of the pass before: what was made before is read again on the way back, though both come
 * from one place of the program, and though an exception may leave wherever memory is asked for. */
// RUN: %clangxx -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clangxx -O2 -DLEAN %pass %include %s -o %t.O2 %runtime -lm && %t.O2
// RUN: %clangxx -O3 -march=x86-64-v3 -DLEAN %pass %include %s -o %t.v3 %runtime -lm && %t.v3
#include <cmath>
#include <cstdio>
#include <vector>

#include "backsweep.h"
#include "backsweep_rt.h"

constexpr int Width = 12, Layers = 9, N = Width * Width + Width;

using Vector = std::vector<double>;

static Vector layer(const double *w, const Vector &x)
{
    Vector y(x.size());
    for (size_t i = 0; i < y.size(); i++) {
        double sum = 0;
        for (size_t j = 0; j < x.size(); j++)
            sum += w[i * Width + j] * x[j];
        y[i] = std::tanh(sum);
    }
    return y;
}

/* Reads its own numbers after it has written them. */
static Vector running(const Vector &x)
{
    Vector y(x.size());
    for (size_t i = 0; i < y.size(); i++)
        y[i] = i == 0 ? x[0] : 0.5 * y[i - 1] * y[i - 1] + x[i];
    return y;
}

static double chain(const double *x)
{
    Vector state(x + Width * Width, x + N);
    for (int l = 0; l < Layers; l++)
        state = layer(x, state);
    double sum = 0;
    for (double number : state)
        sum += number * number;
    return sum;
}

static double chain_of_two(const double *x)
{
    Vector state(x + Width * Width, x + N), before = state;
    for (int l = 0; l < Layers; l++) {
        Vector next = running(state);
        for (int i = 0; i < Width; i++)
            next[i] = std::sin(next[i] * before[i] + x[i]);
        before = std::move(state);
        state = std::move(next);
    }
    double sum = 0;
    for (double number : state)
        sum += number * number;
    return sum;
}

static int check(const char *name, double (*f)(const double *), const double *x, const double *dx)
{
    int wrong = 0;
    double moved[N];
    for (int i = 0; i < N; i++)
        moved[i] = x[i];
    for (int i = 0; i < N; i++) {
        const double h = 1e-6;
        moved[i] = x[i] + h;
        double up = f(moved);
        moved[i] = x[i] - h;
        double difference = (up - f(moved)) / (2 * h);
        moved[i] = x[i];
        if (!(std::fabs(dx[i] - difference) <= 1e-8)) {
            std::printf("%s %d: %.12g, by differences %.12g\n", name, i, dx[i], difference);
            wrong = 1;
        }
    }
    return wrong;
}

int main()
{
    double x[N], d[2][N] = {};
    for (int i = 0; i < N; i++)
        x[i] = 0.5 * std::sin(12.9898 * i + 4.1414);
    struct bs_tape_stats before, after;
    bs_tape_stats(nullptr, &before);
    __backsweep_gradient_void((void *)chain, bs_dup, x, d[0]);
    bs_tape_stats(nullptr, &after);
    __backsweep_gradient_void((void *)chain_of_two, bs_dup, x, d[1]);
    int wrong = check("chain", chain, x, d[0]) | check("chain of two", chain_of_two, x, d[1]);
#ifdef LEAN
    /* Each number of each layer, and a few words a layer; with each product's factor it would be twelve times as much. */
    size_t bytes = after.total - before.total;
    if (bytes > 4 * Layers * Width * sizeof(double)) {
        std::printf("%zu bytes on the tape\n", bytes);
        wrong = 1;
    }
#endif
    return wrong;
}
