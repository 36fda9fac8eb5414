/* Without `restrict`, what a store writes may be what is read later or what the caller looks at. A test on entry leads to a
 * version that knows that it is not; where it is, everything is computed. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime && %t.O0
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime && %t.O3
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

#define N 8

// CHECK-LABEL: plan gradient
// CHECK-NOT: left out of the forward sweep, store
// CHECK: goes to another version where %0, %1 are apart
// CHECK-LABEL: plan gradient
// CHECK: left out of the forward sweep, call of @sin at [[#@LINE+5]]:
// CHECK: left out of the forward sweep, store at [[#@LINE+4]]:{{.*}}; nobody reads it there
// CHECK: relies on %0, %1 being apart
static void sines(const double *x, double *out, int n) {
    for (int i = 0; i < n; i++)
        out[i] += sin(x[i]);
}

static int wrong(const char *what, int i, double found, double expected)
{
    if (fabs(found - expected) <= 1e-12)
        return 0;
    printf("%s %d: %.17g instead of %.17g\n", what, i, found, expected);
    return 1;
}

int main(void)
{
    double x[2 * N], dx[2 * N] = {0}, y[N], dy[N];
    int count = 0;
    for (int i = 0; i < N; i++) {
        x[i] = 0.3 * i, y[i] = 1;
        dy[i] = 1 + i;
    }
    __backsweep_gradient_void((void *)sines, bs_dup, x, dx, bs_dup_noneed, y, dy, N);
    for (int i = 0; i < N; i++)
        count += wrong("apart", i, dx[i], (1 + i) * cos(0.3 * i)) + wrong("x", i, x[i], 0.3 * i);
    /* Each element is one more than a sine of the one before: out is x, one further. */
    double z[N + 1], dz[N + 1] = {0}, expected[N + 1];
    for (int i = 0; i <= N; i++)
        z[i] = expected[i] = 0.2 * i;
    for (int i = 0; i < N; i++)
        expected[i + 1] += sin(expected[i]);
    dz[N] = 1;
    __backsweep_gradient_void((void *)sines, bs_dup, z, dz, bs_dup_noneed, z + 1, dz + 1, N);
    double slope = 1;
    for (int i = N; i >= 0; i--) {
        count += wrong("overlapping", i, dz[i], slope) + wrong("z", i, z[i], expected[i]);
        slope *= i > 0 ? cos(expected[i - 1]) : 0;
    }
    return count != 0;
}
