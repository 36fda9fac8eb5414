// A class whose members are defined outside of it: compilers give its constructors and its destructor two names.
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1
#include "source.h"
namespace numbers {
class Row {
public:
    explicit Row(int n);
    Row(const Row &other);
    ~Row();
    double &at(int i) { return values[i]; }
    int size() const { return count; }

private:
    int count;
    double *values;
};

Row::Row(int n) : count(n), values(new double[n]) {}
Row::Row(const Row &other) : Row(other.count) {
    for (int i = 0; i < count; i++)
        values[i] = other.values[i];
}
Row::~Row() { delete[] values; }
}
namespace {
double f(const double *x, int n) {
    numbers::Row first(n);
    for (int i = 0; i < n; i++)
        first.at(i) = x[i] * x[(i + 1) % n];
    numbers::Row second = first;
    double sum = 0;
    for (int i = 0; i < second.size(); i++) {
        second.at(i) *= first.at(i);
        sum += second.at(i) * x[i];
    }
    return sum;
}
}
REQUESTS(f)
