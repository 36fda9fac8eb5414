/* A pointer that leads to a function of another file ends the program with a message, and with no number. */
// RUN: %split_file %s %t.d
// RUN: %clang -O2 %include -c %t.d/other.c -o %t.other.o
// RUN: %clang -O2 %include %pass %t.d/main.c %t.other.o -o %t %runtime
// RUN: %not %t 2>&1 | FileCheck %s
// CHECK-NOT: gradient
// CHECK: a call through a pointer leads to the function at 0x{{[0-9a-f]+}}, whose derivative was not made{{.*}} [BS213]

//--- other.c
double outside(double x) { return x + 1; }

//--- main.c
#include "backsweep.h"
#include <stdio.h>

double outside(double x);
static double inside(double x) { return x * x; }
double (*volatile chosen)(double) = inside;
static double apply(double x) { return chosen(x); }

double (*get_outside(void))(double);
double (*get_outside(void))(double) { return outside; }

int main(int argc, char **argv)
{
    void *address = (void *)(argc > 100 ? (void *)inside : (void *)get_outside());
    chosen = (double (*)(double))((char *)address + (argc > 50));
    if (argc > 200)
        return 0;
    printf("gradient %g\n", __backsweep_gradient((void *)apply, bs_out, 2.0));
    return 0;
}
