// std::weak_ptr, which exchanges one count of references for the next while nobody else counts: of what lives and of what is gone.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
#include <cmath>
#include <memory>
#include <vector>
namespace {
struct Model {
    double a, b;
    std::vector<double> c;
    double operator()(double t) const {
        double s = a * std::exp(-b * t);
        for (double k : c)
            s = s * t + k;
        return s;
    }
};
double seen(const std::weak_ptr<Model> &from, double t) {
    auto model = from.lock();
    return model ? (*model)(t) : 0.25;
}
double f(const double *x, int n) {
    auto model = std::make_shared<Model>(Model{x[0], x[1], {x[2], x[3 % n], 0.1}});
    std::weak_ptr<Model> alive = model, gone = std::make_shared<Model>(Model{x[1], x[0], {0.5}});
    double s = model.use_count() * x[1];
    for (int i = 1; i < 5; i++)
        s += seen(alive, 0.3 * i) * seen(gone, 0.1 * i);
    return s;
}
}
REQUESTS(f)
