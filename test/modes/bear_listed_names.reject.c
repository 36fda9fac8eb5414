/* A function out of sight with such a name that makes a float of a float is none of the library's. */
// RUN: %refused %t.o %clang -g -O1 -fno-builtin %include %pass -c %s > %t.text && FileCheck %s < %t.text
#include <backsweep.h>

double access(double);

static double f(double x)
{
    // CHECK: bear_listed_names.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: an active value {{.*}} is passed to `access`, of which neither a body nor a rule is known
    return access(x) * 3;
}

double request(double x) { return __backsweep_gradient((void *)f, x); }
