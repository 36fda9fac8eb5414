/* A function that works in a global may be given a pointer into it. A test on entry compares the whole of the global with what is
 * accessed behind the parameters; where they are apart, nothing is recorded of what is read there. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime -lm && %t.O3
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

#define N 8

double work[2 * N], d_work[2 * N];
__attribute__((used)) void *__backsweep_shadow_work[] = {work, d_work};

// CHECK-LABEL: plan gradient
// CHECK: goes to another version where %0, @work are apart
// CHECK-LABEL: plan gradient
// CHECK-NOT: record {{.*}}: %
// CHECK: relies on %0, @work being apart
static double products(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        work[i] = x[i] * x[i] * x[i];
    for (int i = 0; i < n; i++)
        sum += work[i];
    return sum;
}

int main(void)
{
    double x[N], dx[N] = {0};
    int count = 0;
    for (int i = 0; i < N; i++)
        x[i] = 0.3 + 0.1 * i;
    __backsweep_gradient_void((void *)products, bs_dup, x, dx, N);
    for (int i = 0; i < N; i++)
        count += fabs(dx[i] - 3 * x[i] * x[i]) > 1e-12;
    /* Behind itself: each element but the first is a cube of a cube. */
    work[N] = 0;
    for (int k = 0; k < N; k++) {
        for (int i = 0; i <= N; i++)
            work[i] = 0.9 + 0.01 * i;
        double h = 1e-6, kept = work[k + 1];
        work[k + 1] = kept + h;
        double up = products(work + 1, N);
        for (int i = 0; i <= N; i++)
            work[i] = 0.9 + 0.01 * i;
        work[k + 1] = kept - h;
        double down = products(work + 1, N);
        for (int i = 0; i <= N; i++)
            work[i] = 0.9 + 0.01 * i;
        memset(d_work, 0, sizeof d_work);
        __backsweep_gradient_void((void *)products, bs_dup, work + 1, d_work + 1, N);
        if (fabs(d_work[k + 1] - (up - down) / (2 * h)) > 1e-6) {
            printf("%d: %g instead of %g\n", k, d_work[k + 1], (up - down) / (2 * h));
            count++;
        }
    }
    return count != 0;
}
