/* Frees of what the call did not make, between whose two halves anything may happen, and bits that are computed with. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
#include <stdlib.h>

#include "backsweep.h"

struct node {
    double value;
    struct node *next;
};

double freed(double *x, struct node *list) {
    double sum = 0;
    while (list) {
        struct node *next = list->next;
        sum += list->value * *x;
        // CHECK-DAG: found_by_others.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the call of `free` frees active memory that was not allocated here, which is not differentiated yet in split mode
        free(list);
        list = next;
    }
    return sum;
}

/* A float doubled by its exponent, where a float is read again. */
union bits {
    double value;
    long whole;
};

double doubled(double *x, union bits *scratch, int n) {
    scratch[n].value = *x;
    // CHECK-DAG: found_by_others.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `store` writes bytes of active memory as an integer
    scratch[n + 1].whole = scratch[n].whole + (1L << 52);
    return scratch[n + 1].value;
}

void f(double *x, double *dx, struct node *list, struct node *dlist, union bits *s, union bits *ds) {
    void *tape = __backsweep_augmented((void *)freed, x, dx, list, dlist);
    __backsweep_reverse((void *)freed, x, dx, list, dlist, 1.0, tape);
    __backsweep_gradient((void *)doubled, x, dx, s, ds, 3);
}
