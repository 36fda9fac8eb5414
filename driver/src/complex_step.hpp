// The complex step for C++: `double` becomes a number with an imaginary part. The driver puts this before the user's source.
//
// Comparisons look at the real part, as the program does that is checked. Where C++ has no complex function, the imaginary
// part is that of the first order, which is all that is left of it at such a small step.
#include <algorithm>
#include <array>
#include <bitset>
#include <cassert>
#include <cfloat>
#include <chrono>
#include <climits>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <fstream>
#include <functional>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <list>
#include <map>
#include <math.h>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <random>
#include <set>
#include <sstream>
#include <stddef.h>
#include <stdexcept>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>
#if __cplusplus >= 202002L
#include <concepts>
#include <numbers>
#include <ranges>
#include <span>
#endif

struct backsweep_number {
    _Complex double z;

    backsweep_number() = default;
    constexpr backsweep_number(double real, double imaginary) : z{real, imaginary} {}
    template <class T, class = std::enable_if_t<std::is_arithmetic<T>::value>>
    constexpr backsweep_number(T real) : z{static_cast<double>(real), 0.0} {}

    constexpr double real() const { return __real__ z; }
    constexpr double imaginary() const { return __imag__ z; }
    std::complex<double> standard() const { return {real(), imaginary()}; }
    /// A step function has no derivative; what cannot be told from a number that is active does not compile.
    template <class T, class = std::enable_if_t<std::is_integral<T>::value>>
    explicit constexpr operator T() const { return static_cast<T>(real()); }

    backsweep_number &operator+=(backsweep_number b) { z += b.z; return *this; }
    backsweep_number &operator-=(backsweep_number b) { z -= b.z; return *this; }
    backsweep_number &operator*=(backsweep_number b) { z *= b.z; return *this; }
    backsweep_number &operator/=(backsweep_number b) { z /= b.z; return *this; }
    friend backsweep_number operator+(backsweep_number a, backsweep_number b) { return a += b; }
    friend backsweep_number operator-(backsweep_number a, backsweep_number b) { return a -= b; }
    friend backsweep_number operator*(backsweep_number a, backsweep_number b) { return a *= b; }
    friend backsweep_number operator/(backsweep_number a, backsweep_number b) { return a /= b; }
    friend constexpr backsweep_number operator+(backsweep_number a) { return a; }
    friend constexpr backsweep_number operator-(backsweep_number a) { return {-a.real(), -a.imaginary()}; }
    friend constexpr bool operator<(backsweep_number a, backsweep_number b) { return a.real() < b.real(); }
    friend constexpr bool operator>(backsweep_number a, backsweep_number b) { return a.real() > b.real(); }
    friend constexpr bool operator<=(backsweep_number a, backsweep_number b) { return a.real() <= b.real(); }
    friend constexpr bool operator>=(backsweep_number a, backsweep_number b) { return a.real() >= b.real(); }
    friend constexpr bool operator==(backsweep_number a, backsweep_number b) { return a.real() == b.real(); }
    friend constexpr bool operator!=(backsweep_number a, backsweep_number b) { return a.real() != b.real(); }
    friend std::ostream &operator<<(std::ostream &to, backsweep_number a) { return to << a.real(); }
};

namespace backsweep_functions {
using number = backsweep_number;

inline number of(std::complex<double> z) { return {z.real(), z.imag()}; }
/// A value, and the derivative that goes with it.
inline number along(number x, double value, double slope) { return {value, slope * x.imaginary()}; }

inline number sin(number x) { return of(std::sin(x.standard())); }
inline number cos(number x) { return of(std::cos(x.standard())); }
inline number tan(number x) { return sin(x) / cos(x); }
inline number sinh(number x) { return of(std::sinh(x.standard())); }
inline number cosh(number x) { return of(std::cosh(x.standard())); }
inline number tanh(number x) { return along(x, std::tanh(x.real()), 1 - std::tanh(x.real()) * std::tanh(x.real())); }
inline number exp(number x) { return of(std::exp(x.standard())); }
inline number log(number x) { return of(std::log(x.standard())); }
inline number log2(number x) { return log(x) / M_LN2; }
inline number log10(number x) { return log(x) / M_LN10; }
inline number sqrt(number x) { return of(std::sqrt(x.standard())); }
inline number asin(number x) { return along(x, std::asin(x.real()), 1 / std::sqrt(1 - x.real() * x.real())); }
inline number acos(number x) { return along(x, std::acos(x.real()), -1 / std::sqrt(1 - x.real() * x.real())); }
inline number atan(number x) { return along(x, std::atan(x.real()), 1 / (1 + x.real() * x.real())); }
inline number exp2(number x) { return along(x, std::exp2(x.real()), M_LN2 * std::exp2(x.real())); }
inline number expm1(number x) { return along(x, std::expm1(x.real()), std::exp(x.real())); }
inline number log1p(number x) { return along(x, std::log1p(x.real()), 1 / (1 + x.real())); }
inline number cbrt(number x) { return along(x, std::cbrt(x.real()), std::cbrt(x.real()) / (3 * x.real())); }
inline number erf(number x) { return along(x, std::erf(x.real()), M_2_SQRTPI * std::exp(-x.real() * x.real())); }
inline number fabs(number x) { return x.real() < 0 || std::signbit(x.real()) ? -x : x; }
inline number abs(number x) { return fabs(x); }
inline number fmin(number x, number y) { return y < x ? y : x; }
inline number fmax(number x, number y) { return x < y ? y : x; }
inline number min(number x, number y) { return fmin(x, y); }
inline number max(number x, number y) { return fmax(x, y); }
inline number fma(number x, number y, number z) { return x * y + z; }
inline number hypot(number x, number y) { return sqrt(x * x + y * y); }
inline number atan2(number y, number x)
{
    double square = x.real() * x.real() + y.real() * y.real();
    return {std::atan2(y.real(), x.real()), (y.imaginary() * x.real() - x.imaginary() * y.real()) / square};
}
/// Of a negative number and a whole exponent, too.
inline number pow(number x, number y)
{
    double value = std::pow(x.real(), y.real());
    double in_x = y.real() == 0 ? 0 : y.real() * std::pow(x.real(), y.real() - 1) * x.imaginary();
    double in_y = y.imaginary() == 0 ? 0 : value * std::log(x.real()) * y.imaginary();
    return {value, in_x + in_y};
}
inline number floor(number x) { return std::floor(x.real()); }
inline number ceil(number x) { return std::ceil(x.real()); }
inline number round(number x) { return std::round(x.real()); }
inline number trunc(number x) { return std::trunc(x.real()); }
inline bool isnan(number x) { return std::isnan(x.real()); }
inline bool isinf(number x) { return std::isinf(x.real()); }
inline bool isfinite(number x) { return std::isfinite(x.real()); }
inline bool signbit(number x) { return std::signbit(x.real()); }
} // namespace backsweep_functions

using namespace backsweep_functions;
namespace std {
using backsweep_functions::sin; using backsweep_functions::cos; using backsweep_functions::tan;
using backsweep_functions::sinh; using backsweep_functions::cosh; using backsweep_functions::tanh;
using backsweep_functions::exp; using backsweep_functions::log; using backsweep_functions::log2;
using backsweep_functions::log10; using backsweep_functions::sqrt; using backsweep_functions::asin;
using backsweep_functions::acos; using backsweep_functions::atan; using backsweep_functions::exp2;
using backsweep_functions::expm1; using backsweep_functions::log1p; using backsweep_functions::cbrt;
using backsweep_functions::erf; using backsweep_functions::fabs; using backsweep_functions::abs;
using backsweep_functions::fmin; using backsweep_functions::fmax; using backsweep_functions::min;
using backsweep_functions::max; using backsweep_functions::fma; using backsweep_functions::hypot;
using backsweep_functions::atan2; using backsweep_functions::pow; using backsweep_functions::floor;
using backsweep_functions::ceil; using backsweep_functions::round; using backsweep_functions::trunc;
using backsweep_functions::isnan; using backsweep_functions::isinf; using backsweep_functions::isfinite;
using backsweep_functions::signbit;
template <> struct numeric_limits<backsweep_number> : numeric_limits<double> {};
} // namespace std

/// What is passed for a pointer or a reference.
template <class T> struct backsweep_passed {
    T *numbers;
    operator T *() const { return numbers; }
    operator const T *() const { return numbers; }
    operator T &() const { return *numbers; }
};

#define double backsweep_number
#define main backsweep_user_main
