// Unions, and structs that are copied over each other, behind references that containers give.
// RUN: %refused %t.o %clangxx -g -O0 %include %pass -c %s > %t.text && FileCheck --check-prefix=ARMS %s < %t.text
// RUN: %refused %t.o %clangxx -g -O2 %include %pass -c %s > %t.text && FileCheck --check-prefix=ARMS %s < %t.text
// RUN: %refused %t.o %clangxx -g -O0 -DCOPIED %include %pass -c %s > %t.text && FileCheck --check-prefix=COPIED %s < %t.text
// RUN: %refused %t.o %clangxx -g -O2 -DCOPIED %include %pass -c %s > %t.text && FileCheck --check-prefix=COPIED %s < %t.text
#include <backsweep.h>
#include <cstdint>
#include <cstring>
#include <vector>

struct Halves {
    std::uint32_t low, high;
};

static double logarithm(std::uint32_t high) { return static_cast<std::int32_t>(high - 1072632447) * 6.6e-7; }

#ifdef COPIED
struct Scale {
    double value;
};

static double read(const std::vector<Scale> &scales, int at)
{
    if (at > 3)
        return read(scales, at - 3);
    Halves halves;
    std::memcpy(&halves, &scales[at], sizeof halves);
    return logarithm(halves.high);
}
#else
union Scale {
    double value;
    Halves halves;
};

static double read(const std::vector<Scale> &scales, int at) { return logarithm(scales[at].halves.high); }
#endif

// ARMS: error: backsweep: the operation `cast sitofp` makes a number of the bits of an active value
// COPIED: error: backsweep: the operation `cast sitofp` makes a number of the bits of an active value
static double f(const double *x, int n)
{
    std::vector<Scale> scales(n);
    for (int i = 0; i < n; i++)
        scales[i].value = x[i];
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[0] * read(scales, i);
    return sum;
}

void request(double *x, double *dx, int n) { __backsweep_gradient_void((void *)f, x, dx, n); }
