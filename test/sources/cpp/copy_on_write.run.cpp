// A matrix that shares its numbers until somebody writes: vectors in structs that shared_ptr owns are copied.
// RUN: %levels %s conditioned 0.9 1.1 0.7 1.3
#include "source.h"
#include <vector>
#include <memory>
namespace {
struct Data { std::vector<double> v; size_t r, c; };
struct Mat { std::shared_ptr<Data> d; 
    Mat(size_t r, size_t c) : d(std::make_shared<Data>(Data{std::vector<double>(r * c), r, c})) {}
    void detach() { if (d.use_count() > 1) d = std::make_shared<Data>(*d); }
    double &at(size_t i, size_t j) { detach(); return d->v[i * d->c + j]; } };
double f(const double *x, int n) {
    Mat a(2, 2); a.at(0, 0) = x[0]; a.at(0, 1) = x[1];
    Mat b = a; b.at(1, 1) = x[2] * x[0];
    return a.at(0, 0) * b.at(1, 1) + b.at(0, 1);
}
}
REQUESTS(f)
