/* Which row is the neighbour depends on a question about integers: the row is selected, and nothing of it is recorded. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
#include "backsweep.h"

#define ROWS 32

static int inside(int row)
{
    return row < 0 ? ROWS - 1 : row >= ROWS ? 0 : row;
}

static void step(const double *restrict u, double *restrict v)
{
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < ROWS; j++) {
            int above = inside(i - 1), below = inside(i + 1);
            v[i * ROWS + j] = u[i * ROWS + j] * (u[above * ROWS + j] - u[below * ROWS + j]);
        }
}

void gradient(const double *u, double *du, double *v, double *dv)
{
    // CHECK-LABEL: plan gradient {{.*}}step
    // CHECK-NOT: record
    __backsweep_gradient_void((void *)step, u, du, v, dv);
}
