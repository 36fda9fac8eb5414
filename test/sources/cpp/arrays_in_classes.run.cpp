// Classes with arrays beside other members: a vector that begins in itself, tables.
// RUN: %levels %s conditioned 0.9 1.1 0.7 1.3
#include "source.h"
#include <cmath>
#include <cstring>
namespace {
class Few {
    int filled = 0;
    double local[4];
    double *data;
    int room = 4;
  public:
    Few() : data(local) {}
    Few(const Few &other) : Few() {
        for (int i = 0; i < other.filled; i++) push(other.data[i]);
    }
    ~Few() {
        if (data != local) delete[] data;
    }
    void push(double value) {
        if (filled == room) {
            double *more = new double[room * 2];
            std::memcpy(more, data, filled * sizeof(double));
            if (data != local) delete[] data;
            data = more;
            room *= 2;
        }
        data[filled++] = value;
    }
    double norm() const {
        double sum = 0;
        for (int i = 0; i < filled; i++) sum += data[i] * data[i];
        return sum;
    }
};
// Counts and floats in arrays of one struct, by an index that only the input tells.
struct Histogram {
    double least, step;
    long counts[5];
    double sums[5];
    double last;
    void add(double value) {
        int at = (int)((value - least) / step);
        at = at < 0 ? 0 : at > 4 ? 4 : at;
        counts[at] = counts[at] * 3 + 1;
        sums[at] += value * value;
        last = value;
    }
    double weigh() const {
        double sum = last * step;
        for (int i = 0; i < 5; i++) sum += counts[i] * sums[i];
        return sum;
    }
};
double f(const double *x, int n) {
    double sum = x[0] * x[1];
    Few few;
    for (int i = 0; i < 7; i++) few.push(x[i % n] * (i + 1));
    Few copy = few;
    sum += std::sqrt(copy.norm()) * few.norm() * 0.01;
    Histogram table{0.0, 0.3 * x[3], {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, 0.0};
    for (int i = 0; i < 9; i++) table.add(0.19 + 0.2 * i * x[i % n]);
    return sum + table.weigh();
}
}
REQUESTS(f)
