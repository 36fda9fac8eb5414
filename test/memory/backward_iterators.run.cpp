// Iterators that go backward are structs of one pointer, which an optimiser moves as integers, and subtracts as such.
// RUN: %clangxx -std=c++17 -O1 -S -emit-llvm %s -o %t.ll && %opt -passes=backsweep %t.ll -o %t.bc && %clangxx %t.bc -o %t %runtime && %t
// RUN: %clangxx -std=c++17 -O2 -S -emit-llvm %s -o %t.ll && %opt -passes=backsweep %t.ll -o %t.bc && %clangxx %t.bc -o %t %runtime && %t
// RUN: %clangxx -std=c++17 -O3 -S -emit-llvm %s -o %t.ll && %opt -passes=backsweep %t.ll -o %t.bc && %clangxx %t.bc -o %t %runtime && %t
// RUN: %clangxx -std=c++17 -O2 %pass %s -o %t %runtime && %t
#include <algorithm>
#include <cmath>
#include <vector>

extern "C" double __enzyme_autodiff(void *, ...);
extern "C" double __enzyme_fwddiff(void *, ...);

static double weighed(double x, int n)
{
    std::vector<double> v;
    for (int i = 0; i < n; i++) v.push_back(std::sin(x * i) + x);
    std::sort(v.rbegin(), v.rend());
    std::rotate(v.rbegin(), v.rbegin() + 2, v.rend());
    double sum = 0;
    for (auto at = v.rbegin(); at != v.rend(); ++at) sum = 0.5 * sum + *at * *at;
    return sum;
}

int main()
{
    int const n = 40;
    double expected = (weighed(1.3 + 1e-6, n) - weighed(1.3 - 1e-6, n)) / 2e-6;
    auto differs = [=](double found) { return !(std::fabs(found - expected) <= 1e-6 * (1 + std::fabs(expected))); };
    if (differs(__enzyme_autodiff((void *)weighed, 1.3, n))) return 1;
    return differs(__enzyme_fwddiff((void *)weighed, 1.3, 1.0, n)) ? 2 : 0;
}
