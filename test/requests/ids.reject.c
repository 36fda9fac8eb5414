/* Diagnostics that no other test asks for by their ids, each at its line. */
// RUN: %split_file %s %t.split
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %t.split/hook.c | FileCheck %t.split/hook.c
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %t.split/activity.c | FileCheck %t.split/activity.c
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %t.split/bits.c | FileCheck %t.split/bits.c
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %t.split/constant.c | FileCheck %t.split/constant.c

//--- hook.c
double __backsweep_gradiant(void *, ...);
static double square(double x) { return x * x; }
// CHECK: hook.c:[[#@LINE+1]]:{{.*}}unknown hook __backsweep_gradiant{{.*}}[BS011]
double slope(double x) { return __backsweep_gradiant((void *)square, x); }

//--- activity.c
int enzyme_runtime_activity;
double __enzyme_autodiff(void *, ...);
static double square(double x) { return x * x; }
// CHECK: activity.c:[[#@LINE+1]]:{{.*}}not supported; what is active is told when compiling{{.*}}[BS012]
double slope(double x) { return __enzyme_autodiff((void *)square, enzyme_runtime_activity, x); }

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
