// backsweep.hpp: every name of it, over scalars, std::array, std::vector and std::span, against analytic derivatives.
// DEFINE: %{flags} =
// DEFINE: %{check} = %clangxx %{flags} -Wall -Wextra -Werror %include %pass %s -o %t %runtime && %t
// REDEFINE: %{flags} = -O0 -std=c++17
// RUN: %{check}
// REDEFINE: %{flags} = -O3 -std=c++17
// RUN: %{check}
// REDEFINE: %{flags} = -O0 -std=c++20
// RUN: %{check}
// REDEFINE: %{flags} = -O1 -std=c++20
// RUN: %{check}
// REDEFINE: %{flags} = -O3 -std=c++20 -fno-exceptions
// RUN: %{check}

#include <cmath>
#include <cstdio>

#include "backsweep.hpp"

static int failures;
static void expect(int line, double found, double expected)
{
    if (std::fabs(found - expected) <= 5e-13 * std::fmax(1.0, std::fabs(expected)))
        return;
    std::printf("line %d: found %.17g, expected %.17g\n", line, found, expected);
    failures++;
}
#define EXPECT(found, expected) expect(__LINE__, (found), (expected))

using Three = std::array<double, 3>;
using Two = std::array<double, 2>;
using Vector = std::vector<double>;
static volatile double one = 1.0;

static double cube(double x) { return x * x * x; }
static double area(double x, double y) { return x * y * y; }
static double norm2(const Vector &x)
{
    double sum = 0;
    for (double v : x)
        sum += v * v;
    return sum;
}

struct Weighted {
    Three weight;
    double operator()(const Three &x) const
    {
        return weight[0] * x[0] * x[1] + weight[1] * std::sin(x[2]) + weight[2] * x[0];
    }
};

static void test_scalars()
{
    double x = 1.5 * one, y = -0.5 * one, scale = 3 * one;
    EXPECT(backsweep::gradient<cube>(x), 3 * x * x);
    EXPECT(backsweep::gradient([=](double a) { return scale * std::sin(a); }, x), 3 * std::cos(x));
    EXPECT(backsweep::gradient([](auto a) { return a * a; }, x), 2 * x);
    auto [value, slope] = backsweep::value_and_gradient<cube>(x);
    EXPECT(value, x * x * x);
    EXPECT(slope, 3 * x * x);
    auto [dx, dy] = backsweep::gradient<area>(x, y);
    EXPECT(dx, y * y);
    EXPECT(dy, 2 * x * y);
    EXPECT(backsweep::gradient([](float a) { return a * a * a; }, float(x)), float(3 * x * x));
    EXPECT(double(backsweep::gradient([](long double a) { return a * a * a; }, (long double)x)), 3 * x * x);
    EXPECT(backsweep::jvp([](float a) { return a * a; }, 3.0f, 1.0f), 6);
    EXPECT(double(backsweep::vjp([](long double a) { return a * a; }, 3.0L, 2.0L)), 12);
    EXPECT(backsweep::vjp([](float a) { return a * a; }, 3.0f, 2.0f), 12);
    EXPECT(backsweep::jvp<cube>(x, 2.0), 6 * x * x);
    EXPECT(backsweep::vjp<cube>(x, 2.0), 6 * x * x);
    EXPECT(backsweep::hvp<cube>(x, 2.0), 12 * x);
    EXPECT(backsweep::hessian<cube>(x), 6 * x);
}

static void test_arrays()
{
    Three x{1 * one, 2 * one, 0.5 * one};
    const Weighted f{{2 * one, 3 * one, 5 * one}};
    auto [value, g] = backsweep::value_and_gradient(f, x);
    EXPECT(value, f(x));
    EXPECT(g[0], 2 * x[1] + 5);
    EXPECT(g[1], 2 * x[0]);
    EXPECT(g[2], 3 * std::cos(x[2]));
    EXPECT(backsweep::jvp(f, x, Three{1, -1, 2}), g[0] - g[1] + 2 * g[2]);
    EXPECT(backsweep::vjp(f, x, 2.0)[2], 2 * g[2]);
    EXPECT(backsweep::accumulate_gradient(f, x, g), f(x));
    EXPECT(g[2], 6 * std::cos(x[2]));
    auto h = backsweep::hessian(f, x);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            EXPECT(h(i, j), i + j == 1 ? 2.0 : i == 2 && j == 2 ? -3 * std::sin(x[2]) : 0.0);

    auto wide = [](const Three &a) { return Two{a[0] * a[1], a[2] * a[2]}; };
    auto j = backsweep::jacobian(wide, x);
    EXPECT(double(j.rows()), 2);
    EXPECT(double(j.cols()), 3);
    EXPECT(j(0, 0), x[1]);
    EXPECT(j(0, 1), x[0]);
    EXPECT(j(0, 2), 0);
    EXPECT(j(1, 2), 2 * x[2]);
    EXPECT(backsweep::jvp(wide, x, Three{1, 1, 1})[1], 2 * x[2]);
    EXPECT(backsweep::vjp(wide, x, Two{1, 3})[2], 6 * x[2]);
    auto tall = [](const Two &a) { return Three{a[0] * a[1], std::exp(a[0]), a[1]}; };
    auto k = backsweep::jacobian(tall, Two{x[0], x[1]});
    EXPECT(double(k.rows()), 3);
    EXPECT(k(0, 0), x[1]);
    EXPECT(k(0, 1), x[0]);
    EXPECT(k(1, 0), std::exp(x[0]));
    EXPECT(k(2, 1), 1);
}

static void test_vectors()
{
    Vector x{1 * one, 2 * one, -3 * one};
    Vector g = backsweep::gradient<norm2>(x);
    auto weighted = [](const Vector &a, double s, const Two &w) { return s * s * a[0] * a[1] + w[0] * w[1] * a[2]; };
    auto [value, all] = backsweep::value_and_gradient(weighted, x, 2.0, Two{4, 5});
    auto &[dx, ds, dw] = all;
    EXPECT(value, 4 * x[0] * x[1] + 20 * x[2]);
    EXPECT(dx[0], 4 * x[1]);
    EXPECT(dx[2], 20);
    EXPECT(ds, 4 * x[0] * x[1]);
    EXPECT(dw[1], 4 * x[2]);
    for (int i = 0; i < 3; ++i)
        EXPECT(g[i], 2 * x[i]);
    EXPECT(backsweep::jvp<norm2>(x, Vector{1, 1, 1}), 2 * (x[0] + x[1] + x[2]));
    EXPECT(backsweep::hvp<norm2>(x, Vector{0, 1, 0})[1], 2);
    auto h = backsweep::hessian<norm2>(x);
    EXPECT(h(1, 1), 2);
    EXPECT(h(1, 2), 0);

    auto squares = [](const Vector &a) {
        Vector y(a.size());
        for (std::size_t i = 0; i < a.size(); ++i)
            y[i] = a[i] * a[a.size() - 1 - i];
        return y;
    };
    Vector dy = backsweep::jvp(squares, x, Vector{1, 0, 0});
    EXPECT(dy[0], x[2]);
    EXPECT(dy[1], 0);
    EXPECT(dy[2], x[2]);
    Vector pulled = backsweep::vjp(squares, x, Vector{1, 2, 0});
    EXPECT(pulled[0], x[2]);
    EXPECT(pulled[1], 4 * x[1]);
    EXPECT(pulled[2], x[0]);
    auto j = backsweep::jacobian(squares, x);
    EXPECT(j(0, 2), x[0]);
    EXPECT(j(1, 1), 2 * x[1]);
    EXPECT(j(1, 0), 0);
}

#ifdef BACKSWEEP_HAS_SPAN
static double product(std::span<const double> x)
{
    double result = 1;
    for (double v : x)
        result *= v;
    return result;
}

static void test_spans()
{
    const Vector x{1 * one, 2 * one, -3 * one};
    std::span<const double> view(x);
    Vector g = backsweep::gradient<product>(view);
    EXPECT(g[0], x[1] * x[2]);
    EXPECT(g[1], x[0] * x[2]);
    EXPECT(g[2], x[0] * x[1]);
    std::span<const double, 3> fixed(view.first<3>());
    auto f = [](std::span<const double, 3> a) { return a[0] * a[1] + a[2]; };
    EXPECT(backsweep::gradient(f, fixed)[1], x[0]);
    EXPECT(backsweep::accumulate_gradient<product>(view, std::span(g)), -6);
    EXPECT(g[0], 2 * x[1] * x[2]);
    EXPECT(backsweep::jvp<product>(view, Vector{0, 1, 0}), x[0] * x[2]);
    EXPECT(backsweep::hvp<product>(view, Vector{0, 1, 0})[0], x[2]);
    EXPECT(backsweep::hessian<product>(view)(2, 1), x[0]);
}
#else
static void test_spans() {}
#endif

int main()
{
    test_scalars();
    test_arrays();
    test_vectors();
    test_spans();
    return failures != 0;
}
