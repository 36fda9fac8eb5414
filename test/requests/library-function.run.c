/* A function of a library that has a rule is differentiated as a function is that calls it, in every mode. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime -lm && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// A declared function's debug information is no scope of code.
// RUN: %clang -O2 -g -Xclang -disable-llvm-passes %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=backsweep,verify -disable-output %t.ll
#include "backsweep.h"
#include <math.h>
#include <stdio.h>

static int differs(double found, double expected, const char *what) {
    if (fabs(found - expected) <= 1e-14 * (1 + fabs(expected)))
        return 0;
    return printf("%s: %.17g instead of %.17g\n", what, found, expected);
}

int main(void) {
    double x = 0.7, k = 3;
    void *tape = __backsweep_augmented((void *)tan, bs_out, x);
    double split = __backsweep_reverse((void *)tan, bs_out, x, 1.0, tape);
    double (*functions[2])(double) = {sin, exp};
    return differs(__backsweep_gradient((void *)sin, x), cos(x), "gradient") ||
           differs(__backsweep_tangent((void *)sin, x, 2.0), 2 * cos(x), "tangent") ||
           differs(__backsweep_gradient((void *)pow, x, bs_const, k), 3 * x * x, "gradient in one argument") ||
           differs(__backsweep_gradient_float((void *)expf, 0.0f), 1, "gradient of a float") ||
           differs(split, 1 + tan(x) * tan(x), "split") ||
           differs(functions[1](x), exp(x), "value");
}
