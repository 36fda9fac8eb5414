/* Integers that a loop adds up are taken back on the way back, not recorded: where a row begins in an array of rows of
 * different lengths, a check sum by exclusive or, a counter that goes by what a parameter says. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: env BACKSWEEP_OPTIONS=disable=invert,fuse %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck --check-prefix=TAPED %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime && %t.O0
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime && %t.O3
// RUN: env BACKSWEEP_OPTIONS=disable=invert,fuse %clang -O3 %pass %include -DTAPED %s -o %t.off %runtime && %t.off
#include <stdio.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define ROWS 50
#define MOST 1024

// CHECK-LABEL: plan gradient
// CHECK: take back what is added in ^{{[0-9]+}}, changed by what can be undone
// CHECK-NOT: records
// TAPED-LABEL: plan gradient
// TAPED-NOT: take back
// TAPED: records
static double f(const double *restrict x, const int *restrict length, int stride, int rows)
{
    double sum = 0;
    int begin = 0;
    unsigned mixed = 1;
    long by = 0;
    for (int r = 0; r < rows; r++) {
        sum += x[begin % MOST] * x[mixed % MOST] * x[by % MOST];
        begin += length[r];
        mixed ^= 0x9e37u * (unsigned)r;
        by += stride;
    }
    return sum;
}

__attribute__((noinline)) static void gradient(const double *x, double *dx, const int *length, int stride, int rows)
{
    __backsweep_gradient((void *)f, bs_dup, x, dx, bs_const, length, bs_const, stride, bs_const, rows);
}

int main(void)
{
    double x[MOST], dx[MOST] = {0}, expected[MOST] = {0};
    int length[ROWS], begin = 0;
    unsigned mixed = 1;
    long by = 0;
    struct bs_tape_stats before, after;
    for (int i = 0; i < MOST; i++)
        x[i] = 1 + 0.01 * (i * 37 % 101);
    for (int r = 0; r < ROWS; r++)
        length[r] = 1 + r * 13 % 29;
    bs_tape_stats(NULL, &before);
    gradient(x, dx, length, 7, ROWS);
    bs_tape_stats(NULL, &after);
#ifndef TAPED
    if (after.total != before.total) {
        printf("%zu bytes of tape\n", after.total - before.total);
        return 1;
    }
#endif
    for (int r = 0; r < ROWS; r++) {
        int a = begin % MOST, b = (int)(mixed % MOST), c = (int)(by % MOST);
        expected[a] += x[b] * x[c];
        expected[b] += x[a] * x[c];
        expected[c] += x[a] * x[b];
        begin += length[r];
        mixed ^= 0x9e37u * (unsigned)r;
        by += 7;
    }
    for (int i = 0; i < MOST; i++)
        if (!(dx[i] - expected[i] <= 1e-12 && expected[i] - dx[i] <= 1e-12)) {
            printf("%d: %.17g, expected %.17g\n", i, dx[i], expected[i]);
            return 1;
        }
    return 0;
}
