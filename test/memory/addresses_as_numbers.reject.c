/* The address of active memory that goes into another function as an integer: nobody follows it there. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t2.o %clang -g -O2 %include %pass -c %s > %t2.text
// RUN: FileCheck %s < %t2.text
#include <stdint.h>

#include "backsweep.h"

static double get(uintptr_t at, int n) { return n > 0 ? get(at, n - 1) * 1.5 : *(double *)at; }

static double hidden(double x, int n) {
    double cell = x * x;
    // CHECK: addresses_as_numbers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the call of `get` is given the address of memory as an integer
    return get((uintptr_t)&cell, n);
}

double kept;

static double hidden_global(double x, int n) {
    kept = x * x;
    // CHECK: addresses_as_numbers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the call of `get` is given the address of memory as an integer
    return get((uintptr_t)&kept, n);
}

double elsewhere(intptr_t at);

static double hidden_elsewhere(double x) {
    double cell = x * x;
    // CHECK: addresses_as_numbers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the call of `elsewhere` is given the address of memory as an integer
    return elsewhere((intptr_t)&cell + 0);
}

double first(double x, int n) { return __backsweep_gradient((void *)hidden, x, n); }
double second(double x, int n) { return __backsweep_gradient((void *)hidden_global, x, n); }
double third(double x) { return __backsweep_gradient((void *)hidden_elsewhere, x); }
