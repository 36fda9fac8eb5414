// Hooks in wrappers that are told the function and the marks: by a parameter, a closure, a tuple or a variable.
// DEFINE: %{level} =
// DEFINE: %{check} = %clangxx %{level} -std=c++20 %pass %s -o %t %runtime && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O0 -g
// RUN: %{check}
// REDEFINE: %{level} = -O1 -g
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
#include <cmath>
#include <cstdio>
#include <tuple>

extern int enzyme_dup, enzyme_out, enzyme_const, enzyme_width;
template <typename R, typename... T> R __enzyme_autodiff(void *, T...);
template <typename R, typename... T> R __enzyme_fwddiff(void *, T...);

static int failures;

static void expect(int line, double got, double want)
{
    if (!(std::fabs(got - want) <= 1e-12 * (1 + std::fabs(want)))) {
        std::printf("line %d: %g for %g\n", line, got, want);
        failures++;
    }
}
#define EXPECT(got, want) expect(__LINE__, got, want)

struct pair { double a, b; };

static double product(double x, double y) { return x * x * y; }
static double scaled_norm(double *x, double s, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[i] * x[i] * s;
    return sum;
}
template <class T> T cube(T x) { return x * x * x; }

template <class F> double slope(F *f, double x) { return __enzyme_fwddiff<double>((void *)f, enzyme_dup, x, 1.0); }

// A wrapper of a wrapper, that asks twice.
template <class F> double both_ways(F *f, double x)
{
    return slope(f, x) + __enzyme_autodiff<double>((void *)f, enzyme_out, x);
}

static pair marked(int &first, int second) { return __enzyme_autodiff<pair>((void *)product, first, 3.0, second, 2.0); }

template <class T> struct active { T value; };
template <class T> struct constant { T value; };
template <class T> struct duplicated { T value, shadow; };
template <class T> auto expand(active<T> a) { return std::tuple<int, T>{enzyme_out, a.value}; }
template <class T> auto expand(constant<T> a) { return std::tuple<int, T>{enzyme_const, a.value}; }
template <class T> auto expand(duplicated<T> a) { return std::tuple<int, T, T>{enzyme_dup, a.value, a.shadow}; }

template <class R, class F, class... A> R reverse(F *f, A... arguments)
{
    return std::apply([&](auto... operands) { return __enzyme_autodiff<R>((void *)f, operands...); },
                      std::tuple_cat(expand(arguments)...));
}

int main()
{
    EXPECT(slope(cube<double>, 2), 12);
    EXPECT(both_ways(cube<double>, 2), 24);
    auto square = [](double x) { return x * x; };
    EXPECT(slope(+square, 3), 6);

    pair d = marked(enzyme_out, enzyme_out);
    EXPECT(d.a, 12);
    EXPECT(d.b, 9);
    double x[2] = {1, 2}, dx[2] = {0, 0};
    int mark = enzyme_dup, *other = &enzyme_const;
    __enzyme_autodiff<void>((void *)scaled_norm, mark, x, dx, *other, 3.0, *other, 2);
    EXPECT(dx[1], 12);

    d = reverse<pair>(product, active<double>{3}, active<double>{2});
    EXPECT(d.a, 12);
    EXPECT(d.b, 9);
    EXPECT(reverse<double>(product, constant<double>{3}, active<double>{2}), 9);
    dx[0] = dx[1] = 0;
    EXPECT(reverse<double>(scaled_norm, duplicated<double *>{x, dx}, active<double>{3}, constant<int>{2}), 5);
    EXPECT(dx[1], 12);
    return failures != 0;
}
