/* A double that is kept in a member declared as an integer, in structs that are copied: the declaration is not believed where
 * floats are taken by their bits. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// CHECK: hidden_bits.reject.c:{{[0-9]+}}:{{.*}}writes bytes of active memory as an integer
#include <string.h>

#include "backsweep.h"

struct hidden {
    long bits;
    double value;
};

static double move(struct hidden **row, const double *x, int n, int k)
{
    for (int i = 0; i < n; i++) {
        double square = x[i] * x[i];
        memcpy(&row[k][i].bits, &square, sizeof square);
        row[k][i].value = x[i];
    }
    double sum = 0;
    for (int i = 0; i < n; i++) {
        row[1 - k][i] = row[k][n - 1 - i];
        double found;
        memcpy(&found, &row[1][i].bits, sizeof found);
        sum += found * row[0][i].value;
    }
    return sum;
}

void gradients(struct hidden **row, struct hidden **drow, const double *x, double *dx, int n)
{
    __backsweep_gradient_void((void *)move, row, drow, x, dx, n, 0);
}
