/* The address of active memory that is kept as an integer with something else in it, or handed over as one: nobody follows it there. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t2.o %clang -g -O2 %include %pass -c %s > %t2.text
// RUN: FileCheck %s < %t2.text
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

struct link {
    double weight;
    uintptr_t where;
};

static double behind(struct link *at, int n) { return n > 0 ? behind(at, n - 1) * 1.5 : *(double *)(at->where & ~(uintptr_t)1); }

static double in_member(double x, int n) {
    double cell = x * x;
    // CHECK-DAG: kept_addresses.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `store` keeps the address of active memory as an integer
    struct link at = {1, (uintptr_t)&cell | 1};
    return behind(&at, n);
}

uintptr_t kept;

static double behind_kept(int n) { return n > 0 ? behind_kept(n - 1) * 1.5 : *(double *)(kept - 8); }

static double in_global(double x, int n) {
    double cell = x * x;
    // CHECK-DAG: kept_addresses.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `store` keeps the address of active memory as an integer
    kept = (uintptr_t)&cell + 8;
    return behind_kept(n);
}

/* The caller does not see that it is an address. */
__attribute__((noinline)) static uintptr_t make(double x, int n) {
    if (n > 0)
        return make(x * 2, n - 1);
    double *cell = malloc(sizeof *cell);
    *cell = x;
    return (uintptr_t)cell;
}

static double take(uintptr_t number, int n) {
    if (n > 0)
        return take(number, n - 1);
    double value = *(double *)number;
    free((void *)number);
    return value;
}

static double handed_back(double x, int n) {
    // CHECK-DAG: kept_addresses.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the call of `take` touches memory that cannot be followed, while other memory is active
    return take(make(x, n), n);
}

/* What overwrites an active cell under an unknown address ends its derivative. */
static double overwritten(double x) {
    double cell = x * x, *at = &cell;
    memcpy(&kept, &at, sizeof kept);
    kept ^= 1;
    // CHECK-DAG: kept_addresses.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `store` touches memory that cannot be followed, while other memory is active
    *(double *)(kept ^ 1) = 3;
    return cell * x;
}

double first(double x, int n) { return __backsweep_gradient((void *)in_member, x, n); }
double second(double x, int n) { return __backsweep_gradient((void *)in_global, x, n); }
double fourth(double x, int n) { return __backsweep_gradient((void *)handed_back, x, n); }
double fifth(double x) { return __backsweep_gradient((void *)overwritten, x); }
