/* Diagnostics that no other test asks for by their ids, each at its line. */
// RUN: %split_file %s %t.split
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %t.split/hook.c | FileCheck %t.split/hook.c
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %t.split/batch.c | FileCheck %t.split/batch.c
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %t.split/bits.c | FileCheck %t.split/bits.c
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %t.split/constant.c | FileCheck %t.split/constant.c

//--- hook.c
double __backsweep_gradiant(void *, ...);
static double square(double x) { return x * x; }
// CHECK: hook.c:[[#@LINE+1]]:{{.*}}unknown hook __backsweep_gradiant{{.*}}[BS011]
double slope(double x) { return __backsweep_gradiant((void *)square, x); }

//--- batch.c
void __enzyme_batch(void *, ...);
static double square(double x) { return x * x; }
// CHECK: batch.c:[[#@LINE+1]]:{{.*}}not supported [BS012]
void slope(double x) { __enzyme_batch((void *)square, x); }

//--- bits.c
#include <string.h>
double __backsweep_gradient(void *, ...);
static double flip(double x)
{
    unsigned long long bits;
    memcpy(&bits, &x, sizeof bits);
    // CHECK: bits.c:[[#@LINE+1]]:{{.*}}[BS020]
    bits = bits * 3;
    memcpy(&x, &bits, sizeof bits);
    return x;
}
double slope(double x) { return __backsweep_gradient((void *)flip, x); }

//--- constant.c
double __backsweep_gradient(void *, ...);
extern int bs_const;
static double f(double x, double *kept)
{
    // CHECK: constant.c:[[#@LINE+1]]:{{.*}}[BS023]
    *kept = x * x;
    return *kept * x;
}
double slope(double x, double *kept) { return __backsweep_gradient((void *)f, x, bs_const, kept); }
