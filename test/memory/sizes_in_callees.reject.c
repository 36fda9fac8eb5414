/* The same function is given an integer by one caller and a float by another: its bits are not taken for an integer. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s | FileCheck %s
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s | FileCheck %s
// CHECK: error: backsweep: the operation `store` writes bytes of active memory as an integer
#include "backsweep.h"

static void cap(long *size, long most)
{
    if (*size > most + 100000) {
        *size = *size - 8 < most ? most : *size;
        cap(size, most);
    }
}

struct pair {
    double number;
    long size;
};

static double f(double *x, int n)
{
    struct pair p = {x[0] * x[1], n};
    cap(&p.size, 4);
    cap((long *)&p.number, 4);
    return p.number * p.size;
}

void gradient(double *x, double *dx, int n)
{
    __backsweep_gradient_void((void *)f, x, dx, n);
}
