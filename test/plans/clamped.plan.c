/* The places of neighbours at an edge, where they are the larger or smaller of two integers by an intrinsic (as MIN and MAX of
 * Fortran and `clamp` of Rust are), are computed again; so are absolute values, and bits that are counted. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime && %t.O0
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime && %t.O3
#include <stdio.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define N 37

static int larger(int a, int b) { return __builtin_elementwise_max(a, b); }
static int smaller(int a, int b) { return __builtin_elementwise_min(a, b); }

// CHECK-LABEL: plan gradient backsweep.primal.f
// CHECK-NOT: records
// CHECK: its iterations are reversed in their own order
// CHECK-NOT: records
static double f(const double *restrict x, const int *restrict shift, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        int left = larger(i - 2, 0), right = smaller(i + 2, n - 1), far = larger(0, smaller(i - shift[i], n - 1));
        int away = __builtin_elementwise_abs(shift[i]);
        sum += x[left] * x[right] + x[far] * x[i] * x[away % n] + x[__builtin_popcount((unsigned)i)];
    }
    return sum;
}

int main(void)
{
    double x[N], dx[N] = {0}, expected[N] = {0};
    int shift[N];
    struct bs_tape_stats before, after;
    for (int i = 0; i < N; i++)
        x[i] = 1 + 0.01 * (i * 37 % 101), shift[i] = i * 29 % 71 - 35;
    bs_tape_stats(NULL, &before);
    __backsweep_gradient((void *)f, bs_dup, x, dx, bs_const, shift, bs_const, N);
    bs_tape_stats(NULL, &after);
    if (after.total != before.total) {
        printf("%zu bytes of tape\n", after.total - before.total);
        return 1;
    }
    for (int i = 0; i < N; i++) {
        int left = larger(i - 2, 0), right = smaller(i + 2, N - 1), far = larger(0, smaller(i - shift[i], N - 1));
        int away = __builtin_elementwise_abs(shift[i]) % N;
        expected[left] += x[right];
        expected[right] += x[left];
        expected[far] += x[i] * x[away];
        expected[i] += x[far] * x[away];
        expected[away] += x[far] * x[i];
        expected[__builtin_popcount((unsigned)i)] += 1;
    }
    for (int i = 0; i < N; i++)
        if (!(dx[i] - expected[i] <= 1e-12 && expected[i] - dx[i] <= 1e-12)) {
            printf("%d: %.17g, expected %.17g\n", i, dx[i], expected[i]);
            return 1;
        }
    return 0;
}
