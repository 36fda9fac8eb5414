/* An address to which a number is added that may lead anywhere: it need not stay in the object that it came from. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t2.o %clang -g -O2 %include %pass -c %s > %t2.text
// RUN: FileCheck %s < %t2.text
#include <stdint.h>

#include "backsweep.h"

struct Linked {
    double value;
    intptr_t away; /* Where the next one is, counted from here. */
};

// CHECK: far_addresses.reject.c:{{.*}}error: backsweep: {{.*}}active memory
double sum(struct Linked *first, int n) {
    double sum = 0;
    for (struct Linked *at = first; n > 0; n--) {
        sum += at->value * at->value;
        at = (struct Linked *)((uintptr_t)at + (uintptr_t)at->away);
    }
    return sum;
}

void gradient(struct Linked *x, struct Linked *dx, int n) { __backsweep_gradient((void *)sum, bs_dup, x, dx, n); }
