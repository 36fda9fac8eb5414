/* Loops in loops that record nothing: the inner loop is counted anew where the reverse sweep comes to it, and it runs again
 * there for the sum that the iteration around it needs; in the forward sweep it does not run. Both loops are vectorised, the
 * sum as well where the program is held to the order in which it adds: here only the derivative reads it. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: env BACKSWEEP_OPTIONS=disable=notape,fuse %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.taped
// RUN: FileCheck --check-prefix=TAPED %s < %t.taped
// RUN: %clang -O3 -march=x86-64-v3 -ffast-math %pass %include %s -S -emit-llvm -o %t.fast.ll
// RUN: FileCheck --check-prefix=CODE %s < %t.fast.ll
// RUN: %clang -O3 -march=x86-64-v3 %pass %include %s -S -emit-llvm -o %t.strict.ll
// RUN: FileCheck --check-prefix=STRICT %s < %t.strict.ll
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime -lm && %t.O3
// RUN: %clang -O3 -march=x86-64-v3 -ffast-math %pass %include %s -o %t.fast %runtime -lm && %t.fast
// RUN: env BACKSWEEP_OPTIONS=disable=notape,fuse %clang -O3 %pass %include -DTAPED %s -o %t.off %runtime -lm && %t.off
#include <math.h>
#include <stdio.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define ROWS 7
#define MOST 40

// CHECK-LABEL: plan
// CHECK: run again, the loop before runs again
// CHECK: left out of the forward sweep, load
// CHECK: runs again in the reverse of {{.*}}; adds up %{{[0-9]+}} in any order
// CHECK: passes counted anew on the way back from
// CHECK-NOT: records
// TAPED-LABEL: plan
// TAPED: records {{.*}}the passes of
//
// The sum over the row, then what goes back into the row.
// CODE-LABEL: define {{.*}}@gradient(
// CODE: fmul fast <4 x double>
// CODE: fadd {{.*}}<4 x double>
// CODE: store <4 x double>
// CODE-NOT: @backsweep.push
// CODE: {{^}}}
// STRICT-LABEL: define {{.*}}@gradient(
// STRICT: reassoc <4 x double>
// STRICT: {{^}}}
static double f(const double *restrict x, const double *restrict y, int rows, int columns)
{
    double sum = 0;
    for (int r = 0; r < rows; r++) {
        double dot = 0;
        for (int c = 0; c < columns; c++)
            dot += x[r * columns + c] * y[c];
        sum += dot * dot * dot;
    }
    return sum;
}

__attribute__((noinline)) void gradient(const double *restrict x, double *restrict dx, const double *restrict y,
                                        int rows, int columns)
{
    __backsweep_gradient((void *)f, bs_dup, x, dx, bs_const, y, bs_const, rows, bs_const, columns);
}

int main(void)
{
    double x[ROWS * MOST], y[MOST];
    for (int columns = 0; columns <= MOST; columns += 5) {
        double dx[ROWS * MOST] = {0};
        struct bs_tape_stats before, after;
        for (int i = 0; i < ROWS * columns; i++)
            x[i] = sin(12.9898 * i + 4.1414);
        for (int c = 0; c < columns; c++)
            y[c] = cos(78.233 * c);
        bs_tape_stats(NULL, &before);
        gradient(x, dx, y, ROWS, columns);
        bs_tape_stats(NULL, &after);
#ifndef TAPED
        if (after.total != before.total) {
            printf("%zu bytes of tape\n", after.total - before.total);
            return 1;
        }
#endif
        for (int i = 0; i < ROWS * columns; i++) {
            double dot = 0, expected;
            for (int c = 0; c < columns; c++)
                dot += x[i / columns * columns + c] * y[c];
            expected = 3 * dot * dot * y[i % columns];
            if (!(fabs(dx[i] - expected) <= 1e-12 * (1 + fabs(expected)))) {
                printf("%d columns, %d: %.17g, expected %.17g\n", columns, i, dx[i], expected);
                return 1;
            }
        }
    }
    return 0;
}
