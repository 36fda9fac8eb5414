/* Doubles that are sorted by their bits, and touched as nothing but integers: they might be integers for all that is seen
   here, and are not taken for such. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
#include <stdint.h>

#include "backsweep.h"

static void sort(uint64_t *x, int n) {
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && x[j - 1] > x[j]; j--) {
            uint64_t t = x[j];
            // CHECK: sorted_by_bits.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `store` writes bytes of active memory as an integer, and it cannot be told
            x[j] = x[j - 1];
            x[j - 1] = t;
        }
}

void gradient(uint64_t *x, uint64_t *dx, int n) { __backsweep_gradient_void((void *)sort, x, dx, n); }
