// RUN: %refused %t.o %clangxx -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: not grep _Z %t.text
/* Messages name C++ functions and hooks as the source does. */
template <typename R, typename... A> R __enzyme_autodiff(A...) noexcept;

struct pair {
    double x, y;
};

namespace shapes {
double hidden(double);
template <typename T> T scaled(T x, T y) { return hidden(x) * y; }
}

double request(double x)
{
    // CHECK-DAG: names.reject.cpp:13:{{[0-9]+}}: error: backsweep: {{.*}}`shapes::hidden`
    pair g = __enzyme_autodiff<pair>((void *)shapes::scaled<double>, x, x);
    // CHECK-DAG: names.reject.cpp:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: too few arguments to {{.*}}write __enzyme_autodiff<double, void*, double>(shapes::scaled<double>, bs_out, x, bs_out, y)
    return g.x + __enzyme_autodiff<double>((void *)shapes::scaled<double>, x);
}
