// A recursive Fourier transform: std::vector of std::complex, whose elements are copied as wholes.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <cmath>
#include <complex>
#include <vector>
namespace {
using C = std::complex<double>;
void transform(std::vector<C> &a, bool back) {
    size_t n = a.size();
    if (n == 1)
        return;
    std::vector<C> even(n / 2), odd(n / 2);
    for (size_t i = 0; i < n / 2; i++) {
        even[i] = a[2 * i];
        odd[i] = a[2 * i + 1];
    }
    transform(even, back);
    transform(odd, back);
    for (size_t k = 0; k < n / 2; k++) {
        C t = std::polar(1.0, (back ? 2 : -2) * M_PI * k / n) * odd[k];
        a[k] = even[k] + t;
        a[k + n / 2] = even[k] - t;
    }
}
double f(const double *x, int n) {
    std::vector<C> a(8);
    for (int i = 0; i < 8; i++)
        a[i] = C(x[i % n], 0.1 * i * x[(i + 1) % n]);
    transform(a, false);
    for (auto &z : a)
        z = z * std::conj(z) + std::exp(C(0, 0.1)) * z / C(2, 1);
    transform(a, true);
    double s = 0;
    for (auto z : a)
        s += std::norm(z) + std::abs(z) + z.real() * std::arg(z + C(10, 0));
    return s / 100;
}
}
REQUESTS(f)
