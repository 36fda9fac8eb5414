/* A sparse matrix whose rows and columns are made and freed by the function itself: the reverse sweep reads them again, so that they are freed
 * when it is over. What is made anew in a loop is freed there as ever. */
// RUN: %levels %s double 0.3 0.7 1.1 0.45 0.9
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -I%S/../Inputs -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
#include <stdlib.h>

#include "source.h"

/* The rows and the columns, and not what each step makes. */
// CHECK-LABEL: plan gradient backsweep.primal.f
// CHECK-NOT: records {{.*}}passes of
// CHECK: leads to: freed when the reverse sweep is over
// CHECK-NEXT: leads to: freed when the reverse sweep is over
// CHECK-NOT: leads to: freed
// CHECK-LABEL: plan
static double f(const double *x, int n)
{
    int *rows = malloc((n + 1) * sizeof *rows), *columns = malloc(3 * n * sizeof *columns);
    double *entries = malloc(3 * n * sizeof *entries), *u = malloc(n * sizeof *u), sum = 0;
    for (int i = 0; i <= n; i++)
        rows[i] = 3 * i;
    for (int k = 0; k < 3 * n; k++) {
        columns[k] = (7 * k + k / 3) % n;
        entries[k] = x[k % n] * 0.3;
    }
    for (int i = 0; i < n; i++)
        u[i] = x[i];
    for (int t = 0; t < 3; t++) {
        double *next = malloc(n * sizeof *next);
        int *order = malloc(n * sizeof *order);
        for (int i = 0; i < n; i++)
            order[i] = (i + t) % n;
        for (int i = 0; i < n; i++) {
            next[i] = 0;
            for (int k = rows[i]; k < rows[i + 1]; k++)
                next[i] += entries[k] * u[columns[k]] * u[order[i]];
        }
        for (int i = 0; i < n; i++)
            u[i] = 0.5 * u[i] + next[i];
        free(order);
        free(next);
    }
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i];
    free(rows);
    free(columns);
    free(entries);
    free(u);
    return sum;
}

REQUESTS(f)
