/* Words of the user's memory are put in another order, and only their lower halves are looked at. The upper ones may be floats, as they are
   here, and nothing in the module says so. */
// RUN: %clang -O1 -g %include -S -emit-llvm %s -o %t.ll
// RUN: not %opt -passes='default<O2>' %t.ll -o %t.bc 2>&1 | FileCheck %s
// RUN: test ! -s %t.bc
#include "backsweep.h"

struct weighed {
    int id;
    float weight;
};

static void reverse(const struct weighed *from, struct weighed *to, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++) {
        // CHECK: halves_of_users.reject.c:[[@LINE+1]]:{{.*}}cannot be told whether they are a float{{.*}}[BS020]
        to[n - 1 - i] = from[i];
        sum += from[i].id;
    }
    for (int i = 0; i < n; i++)
        to[i].id += sum;
}

void gradient(const struct weighed *from, struct weighed *dfrom, struct weighed *to, struct weighed *dto, int n)
{
    __backsweep_gradient_void((void *)reverse, bs_dup, from, dfrom, bs_dup, to, dto, n);
}
