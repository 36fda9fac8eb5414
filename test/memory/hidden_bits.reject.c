/* A double that is kept in a member declared as an integer, in structs that are copied: the declaration is not believed where
 * floats are taken by their bits, and not where a callee touches the member as a double. */
// RUN: %refused %t.o %clang -g -O0 -DBITS %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clang -g -O2 -DBITS %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
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

#ifdef BITS
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
#else
struct open {
    double first, second;
};

/* Functions that call themselves stay calls. */
static void put(struct open *at, double v, int depth)
{
    if (depth > 100) {
        put(at, v, depth - 1);
        return;
    }
    at->first = v;
    at->second = v * v;
}

static double move(struct hidden **row, const double *x, int n, int k)
{
    _Alignas(8) char a[64], b[64];
    for (int i = 0; i < n; i++)
        put((struct open *)(a + 16 * i), x[i], i);
    for (int i = 0; i < n; i++)
        ((struct hidden *)b)[i] = ((struct hidden *)a)[n - 1 - i];
    double *found = (double *)(b + 16 * k);
    put((struct open *)a, found[0] * found[1], 0);
    return *(double *)a + row[0][0].value;
}
#endif

void gradients(struct hidden **row, struct hidden **drow, const double *x, double *dx, int n)
{
    __backsweep_gradient_void((void *)move, row, drow, x, dx, n, 0);
}
