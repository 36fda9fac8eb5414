// Exponentials and logarithms of whole arrays, which Eigen computes several at once from the bits of floats: a softmax and its entropy,
// in both precisions.
// RUN: %levels %s float 0.9 1.1 0.7 1.3
#include <Eigen/Core>

#include "source.h"

template <class Array> static double entropy(const Array &v)
{
    Array shares = (v - v.maxCoeff()).exp();
    shares /= shares.sum();
    return -(shares * shares.log()).sum();
}

static double f(const double *x, int n)
{
    Eigen::ArrayXd v = Eigen::Map<const Eigen::ArrayXd>(x, n).replicate(3, 1);
    Eigen::ArrayXf single = v.cast<float>();
    return entropy(v) * 10 + entropy(single) + (single.sin() * single.cos() + single.tanh()).sum();
}
REQUESTS(f)
