// Structs with an alignment of their own: C++ allocates and frees them by other functions, which are told the alignment.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <vector>
namespace {
struct alignas(64) Block { double v[8]; };
double f(const double *x, int n) {
    std::vector<Block> b(2);
    for (int i = 0; i < n; i++) b[i % 2].v[i] = x[i] * x[i];
    Block *q = new Block(); q->v[1] = b[1].v[1] * x[0];
    double s = q->v[1]; delete q;
    for (auto &k : b) for (double v : k.v) s += v;
    return s;
}
}
REQUESTS(f)
