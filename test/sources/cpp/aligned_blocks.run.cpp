// Structs with an alignment of their own: C++ allocates and frees them by other functions, which are told the alignment.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <cstdlib>
#include <new>
#include <vector>
namespace {
struct alignas(64) Block { double v[8]; };
double f(const double *x, int n) {
    std::vector<Block> b(2);
    for (int i = 0; i < n; i++) b[i % 2].v[i] = x[i] * x[i];
    Block *q = new Block(); q->v[1] = b[1].v[1] * x[0];
    double s = q->v[1]; delete q;
    for (auto &k : b) for (double v : k.v) s += v;
    // Freed by its address and alignment, beside memory that an exception of this allocation would leave.
    double *plain = static_cast<double *>(std::aligned_alloc(64, 64));
    double *told = static_cast<double *>(operator new(32, std::align_val_t(32)));
    for (int i = 0; i < 4; i++) {
        plain[i] = x[i % n] * x[i % n];
        told[i] = plain[i] * x[0];
    }
    s += told[0] + told[1] * plain[3];
    std::free(plain);
    operator delete(told, std::align_val_t(32));
    return s;
}
}
REQUESTS(f)
