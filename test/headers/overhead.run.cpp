// backsweep.hpp costs nothing over the hook: optimised, both come out as the same instructions.
// RUN: %clangxx -O3 -std=c++17 %include %pass -fno-asynchronous-unwind-tables -S %s -o %t.s
// RUN: python3 %S/Inputs/same_body.py %t.s through_hook through_header
// RUN: python3 %S/Inputs/same_body.py %t.s scalar_hook scalar_header
// The comparison can fail:
// RUN: not python3 %S/Inputs/same_body.py %t.s through_hook scalar_hook | FileCheck %s
// CHECK: through_hook and scalar_hook differ

#include <cmath>

#include "backsweep.hpp"

using Vector = std::vector<double>;

static double kernel(const Vector &x)
{
    double sum = 0;
    for (std::size_t i = 0; i + 1 < x.size(); ++i)
        sum += std::sin(x[i]) * x[i + 1] * x[i + 1];
    return sum;
}

static double logistic(double x) { return 1 / (1 + std::exp(-x)); }

extern "C" double through_hook(const Vector *x, Vector *dx)
{
    return __backsweep_gradient(reinterpret_cast<void *>(kernel), bs_primal_return, const_cast<Vector *>(x), dx);
}

extern "C" double through_header(const Vector *x, Vector *dx)
{
    return backsweep::accumulate_gradient<kernel>(*x, *dx);
}

extern "C" double scalar_hook(double x) { return __backsweep_gradient(reinterpret_cast<void *>(logistic), x); }

extern "C" double scalar_header(double x) { return backsweep::gradient<logistic>(x); }
