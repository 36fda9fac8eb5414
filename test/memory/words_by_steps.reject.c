/* Numbers that lie at every second word say nothing of the words between: floats may lie there, and the gradient was lost
 * without a word. */
// RUN: %refused %t.o %clang -O0 -g %include %pass -c %s 2>&1 | FileCheck %s
// RUN: %refused %t.o %clang -O2 -g %include %pass -c %s 2>&1 | FileCheck %s
// CHECK: words_by_steps.reject.c:[[#@LINE+14]]:{{.*}}backsweep: the operation `store` writes bytes of active memory as an integer, and it cannot be told whether they are a float; {{.*}} [BS020]

#include "backsweep.h"

struct record {
    int to;
    float weight;
};

__attribute__((noinline)) static void move(const void *in, void *out, int n)
{
    const int *numbers = in;
    const unsigned long *from = in;
    for (int i = 0; i < n; i++)
        ((unsigned long *)out)[numbers[2 * i]] = from[i];
}

void gradient(struct record *in, struct record *din, struct record *out, struct record *dout, int n)
{
    __backsweep_gradient_void((void *)move, bs_dup, in, din, bs_dup, out, dout, n);
}
