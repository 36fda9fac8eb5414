// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
/* Results of the same size are not results of the same members, and zero is nobody's derivative. */
#include "backsweep.h"

struct number_and_count {
    double x;
    long n;
};
struct turned {
    float y;
    double x;
};
struct packed {
    float x;
    int n;
};
struct number_and_count __backsweep_gradient_count(void *, ...);
struct turned __backsweep_gradient_turned(void *, ...);

float floats(float x, float y) { return x * x * y; }
double doubles(double x, double y) { return x * x * y; }
double mixed(double x, float y) { return x * x * y; }
float of_struct(struct packed p) { return p.x * p.x * p.n; }

double two_floats_as_one_double(void)
{
    // CHECK: result.reject.c:[[@LINE+2]]:{{[0-9]+}}: error: backsweep: mismatched return type: the hook is declared to return a double; expected the derivative of `x` (a float), then the derivative of `y` (a float)
    // CHECK-SAME: [BS010]
    return __backsweep_gradient((void *)floats, 3.0f, 2.0f);
}

long a_derivative_as_an_integer(void)
{
    // CHECK: result.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: mismatched return type: {{.*}} a struct of a double, a 64-bit integer;
    return __backsweep_gradient_count((void *)doubles, 3.0, 2.0).n;
}

double members_in_another_order(void)
{
    // CHECK: result.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: mismatched return type: {{.*}} a struct of a float, a double;
    return __backsweep_gradient_turned((void *)mixed, 3.0, 2.0f).x;
}

float a_float_inside_an_integer(struct packed p)
{
    // CHECK: result.reject.c:[[@LINE+2]]:{{[0-9]+}}: error: backsweep: mismatched return type: the hook is declared to return a float and its result is read, but this call has no derivative to return
    // CHECK-SAME: pass its floats by themselves
    return __backsweep_gradient_float((void *)of_struct, p);
}

double nothing_is_active(double x)
{
    // CHECK: result.reject.c:[[@LINE+1]]:{{[0-9]+}}: error: backsweep: mismatched return type: {{.*}} no derivative to return; expected a float argument with bs_out
    return __backsweep_gradient((void *)doubles, bs_const, x, bs_const, x);
}
// CHECK-NOT: error: backsweep
