/* What C says of an access, that a number is no pointer, is said of the same access to the shadow: else each sum in a shadow might be a pointer to a
 * row. Where memory is a number at one time and a pointer at another, nothing is said. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes=backsweep -S %t.ll | FileCheck %s
#include "backsweep.h"

union either {
    double number;
    void *pointer;
};

// CHECK-LABEL: define internal void @backsweep.gradient.rows
// CHECK: store double {{.*}}, align 8, !tbaa
static double rows(double **u, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += u[i][0] * u[i][0];
    return sum;
}

// CHECK-LABEL: define internal void @backsweep.gradient.both
// CHECK-NOT: load double, ptr %1, align 8, !tbaa
// CHECK-NOT: store double {{.*}}, ptr %1, align 8, !tbaa
// CHECK-LABEL: define
static double both(union either *u)
{
    double sum = u->number * u->number;
    u->pointer = 0;
    return sum + u->number;
}

void of_rows(double **u, double **du) { __backsweep_gradient_void((void *)rows, bs_dup, u, du, bs_const, 3); }

void of_both(union either *u, union either *du) { __backsweep_gradient_void((void *)both, bs_dup, u, du); }
