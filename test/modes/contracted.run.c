/* Where the front end lets products and sums be one operation, so are those of derivatives; elsewhere they are rounded each. */
// RUN: %clang -O1 %pass %include -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O1 -ffp-contract=off %pass %include -S -emit-llvm %s -o - | FileCheck --check-prefix=ROUNDED %s
// RUN: %clang -O2 -march=x86-64-v3 %pass %include %s -o %t.v3 %runtime -lm && %t.v3
// RUN: %clang -O2 -ffp-contract=off %pass %include %s -o %t.off %runtime -lm && %t.off
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

static double horner(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum * 0.9 * x[i] + sin(x[i]) * sum + 1;
    return sum;
}

// CHECK-LABEL: define {{.*}}@gradient
// CHECK: fmul contract double
// CHECK: fadd {{.*}}contract double
// ROUNDED-LABEL: define {{.*}}@gradient
// ROUNDED-NOT: contract
// ROUNDED: declare
void gradient(const double *x, double *dx, int n) { __backsweep_gradient_void((void *)horner, x, dx, n); }

int main(void)
{
    double x[9], dx[9] = {0};
    for (int i = 0; i < 9; i++)
        x[i] = 0.3 + 0.1 * i;
    gradient(x, dx, 9);
    for (int i = 0; i < 9; i++) {
        double kept = x[i];
        x[i] = kept + 1e-6;
        double up = horner(x, 9);
        x[i] = kept - 1e-6;
        double down = horner(x, 9);
        x[i] = kept;
        if (fabs(dx[i] - (up - down) / 2e-6) > 1e-8 * (1 + fabs(dx[i])))
            return printf("%d: %.17g is not %.17g\n", i, dx[i], (up - down) / 2e-6);
    }
    return 0;
}
