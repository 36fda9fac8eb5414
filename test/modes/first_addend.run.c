/* Where a value's adjoint begins at zero, the first that is added to it is its value: no addition of zero is left, though
 * strictly it makes 0.0 of -0.0. The primal keeps its own. */
// RUN: %clang -O2 %pass %include -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O2 %pass %include %s -o %t %runtime -lm && %t
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

// CHECK-LABEL: define {{.*}}@chain
// CHECK: fadd double {{.*}}, 0.000000e+00
double chain(double x, double y)
{
    double a = x / y + 0.0;
    double b = sin(a) * x;
    double c = b / (1 + y * y);
    return c * a + exp(b);
}

// CHECK-LABEL: define {{.*}}@gradient
// CHECK: fadd double {{.*}}, 0.000000e+00
// CHECK-NOT: fadd {{.*}}, 0.000000e+00
struct g2 { double x, y; };
struct g2 __backsweep_gradient_g2(void *, ...);

struct g2 gradient(double x, double y) { return __backsweep_gradient_g2((void *)chain, x, y); }

// CHECK: define {{.*}}@main
int main(void)
{
    struct g2 d = gradient(0.7, -0.4);
    double h = 1e-6;
    double x = (chain(0.7 + h, -0.4) - chain(0.7 - h, -0.4)) / (2 * h);
    double y = (chain(0.7, -0.4 + h) - chain(0.7, -0.4 - h)) / (2 * h);
    printf("%g %g, %g %g\n", d.x, d.y, x, y);
    return fabs(d.x - x) > 1e-8 || fabs(d.y - y) > 1e-8;
}
