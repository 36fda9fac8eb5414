// std::complex: operators, functions, and a polynomial evaluated by Horner's rule; roots by Newton's method.
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#include "source.h"
#include <array>
#include <complex>

using Complex = std::complex<double>;

static Complex horner(const std::array<Complex, 4> &c, Complex z)
{
    Complex sum = 0;
    for (std::size_t k = c.size(); k-- > 0;)
        sum = sum * z + c[k];
    return sum;
}

static Complex slope(const std::array<Complex, 4> &c, Complex z)
{
    Complex sum = 0;
    for (std::size_t k = c.size() - 1; k > 0; k--)
        sum = sum * z + c[k] * double(k);
    return sum;
}

static double f(const double *x, int n)
{
    std::array<Complex, 4> c;
    for (std::size_t k = 0; k < c.size(); k++)
        c[k] = Complex(x[k % n], x[(k + 1) % n]);
    Complex z(0.3, 0.7);
    for (int i = 0; i < 3; i++)
        z -= horner(c, z) / slope(c, z);
    Complex w = std::exp(z) + std::polar(std::abs(c[0]), std::arg(c[1])) - std::log(z) * std::sqrt(c[2]);
    w += std::pow(c[3], 2.5) + std::pow(z, c[0]) + std::sin(z) / std::cosh(c[1]) + std::conj(z) * std::tan(c[2]);
    return std::norm(w) + w.real() - 2 * w.imag();
}

REQUESTS(f)
