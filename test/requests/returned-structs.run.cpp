// Structs that are returned through memory: their tangents come back the same way, and their seeds go in by value.
// DEFINE: %{level} =
// DEFINE: %{check} = %clangxx %{level} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}
//
// The primal's struct has a name. What is derived has none, and the verifier, which clang leaves out, wants them equal.
// RUN: %clangxx -O0 %include -S -emit-llvm %s -o %t.ll && %opt -passes=backsweep,verify -disable-output %t.ll

#include "backsweep.h"
#include <cmath>
#include <cstdio>

struct Big {
    double a, b;
    float c;
    double d[3];
};
struct Both {
    Big value, tangent;
};

static Big powers(double x, const double *scale)
{
    Big result = {x, x * x * scale[0], (float)(x * x * x), {2, scale[1] * x, std::sin(x)}};
    return result;
}

template <typename Result, typename... Arguments> Result __backsweep_tangent(void *, Arguments...);
template <typename Result, typename... Arguments> Result __enzyme_fwddiff(void *, Arguments...);
template <typename Result, typename... Arguments> Result __backsweep_gradient(void *, Arguments...);

static int failures;
static void expect(const char *what, double found, double wanted)
{
    if (!(std::fabs(found - wanted) <= 1e-7 * (1 + std::fabs(wanted)))) {
        std::printf("%s: %.17g, expected %.17g\n", what, found, wanted);
        failures++;
    }
}

int main()
{
    double scale[2] = {3, 4}, along[2] = {0, 0};
    void *f = reinterpret_cast<void *>(powers);
    Big tangent = __backsweep_tangent<Big>(f, 2.0, 1.0, scale, along);
    expect("a", tangent.a, 1);
    expect("b", tangent.b, 12);
    expect("c", tangent.c, 12);
    expect("d[0]", tangent.d[0], 0);
    expect("d[1]", tangent.d[1], 4);
    expect("d[2]", tangent.d[2], std::cos(2.0));

    Both both = __enzyme_fwddiff<Both>(f, &bs_primal_return, 2.0, 1.0, scale, along);
    expect("value", both.value.b, 12);
    expect("tangent", both.tangent.b, 12);

    // Without a seed, every member's derivative is one.
    double slopes[2] = {0, 0};
    double slope = __backsweep_gradient<double>(f, 2.0, scale, slopes);
    expect("gradient", slope, 1 + 12 + 12 + 4 + std::cos(2.0));
    expect("gradient by memory", slopes[0], 4);
    expect("gradient by memory", slopes[1], 2);
    return failures != 0;
}
