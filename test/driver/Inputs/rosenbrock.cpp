#include <iostream>

namespace functions {
template <class T> T rosenbrock(T x, T y)
{
    T a = T(1) - x;
    T b = y - x * x;
    return a * a + T(100) * b * b;
}
template double rosenbrock<double>(double, double);
} // namespace functions
