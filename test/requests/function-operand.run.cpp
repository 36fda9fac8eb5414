/* The function reaches the hook through a lambda, a constant table, a parameter, a choice. */
// DEFINE: %{flags} =
// DEFINE: %{check} = %clangxx %{flags} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{flags} = -O0
// RUN: %{check}
// REDEFINE: %{flags} = -O2
// RUN: %{check}

#include <cmath>
#include <cstdio>

template <typename R, typename... A> R __enzyme_autodiff(A...) noexcept;

using Function = double (*)(double);
static double square(double x) { return x * x; }
static double cube(double x) { return x * x * x; }
static double wave(double x) { return std::sin(x); }
static const Function table[] = {square, cube, wave};
struct Entry {
    Function plain, other;
};
static const Entry entries[] = {{square, wave}, {cube, wave}};

static double through_parameter(Function f, double x) { return __enzyme_autodiff<double>((void *)f, x); }
static double further(Function f, double x) { return through_parameter(f, x + 1); }
template <Function f> static double through_template(double x) { return __enzyme_autodiff<double>((void *)f, x); }

static int failures;
static void expect(int line, double found, double expected)
{
    if (std::fabs(found - expected) <= 1e-12 * std::fmax(1.0, std::fabs(expected)))
        return;
    std::printf("line %d: found %.17g, expected %.17g\n", line, found, expected);
    failures++;
}
#define EXPECT(found, expected) expect(__LINE__, (found), (expected))

int main()
{
    volatile double point = 1.5;
    volatile int one = 1;
    double x = point;
    auto lambda = [](double a) { return a * a * a * a; };
    EXPECT(__enzyme_autodiff<double>((void *)+lambda, x), 4 * x * x * x);
    EXPECT(__enzyme_autodiff<double>((void *)(Function)lambda, x), 4 * x * x * x);
    EXPECT(__enzyme_autodiff<double>((void *)table[0], x), 2 * x);
    EXPECT(__enzyme_autodiff<double>((void *)table[2], x), std::cos(x));
    EXPECT(__enzyme_autodiff<double>((void *)table[one], x), 3 * x * x);
    EXPECT(__enzyme_autodiff<double>((void *)table[one + 1], x), std::cos(x));
    EXPECT(__enzyme_autodiff<double>((void *)entries[1].plain, x), 3 * x * x);
    EXPECT(__enzyme_autodiff<double>((void *)entries[one].other, x), std::cos(x));
    EXPECT(through_parameter(square, x), 2 * x);
    EXPECT(through_parameter(one ? cube : wave, x), 3 * x * x);
    EXPECT(further(wave, x), std::cos(x + 1));
    EXPECT(through_template<cube>(x), 3 * x * x);
    EXPECT(__enzyme_autodiff<double>(one ? (void *)cube : (void *)square, x), 3 * x * x);
    return failures != 0;
}
