/* Declarations about functions that say nothing that could be used. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
#include "backsweep.h"

double f(double x);
// CHECK-DAG: declared.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: `__enzyme_function_like_odd` lists something else than { f, "name" }
void *__enzyme_function_like_odd[] = {(void *)f, (void *)f};
// CHECK-DAG: declared.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: `g` is declared to behave like `nobody`, whose derivative is not known; docs/rules.md lists what is
__attribute__((annotate("enzyme_function_like=nobody"))) double g(double x) { return x; }

double __enzyme_call_inactive(void *, ...);
double h(double x, int n);
// CHECK-DAG: declared.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: __enzyme_call_inactive of `h`: it takes 2 arguments of other types, or another number of them
double too_few(double x) { return __enzyme_call_inactive((void *)h, x); }
// CHECK-DAG: declared.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: __enzyme_call_inactive of `h`: it takes 2 arguments of other types
double wrong(double x) { return __enzyme_call_inactive((void *)h, x, x); }
float __enzyme_call_inactive_float(void *, ...);
// CHECK-DAG: declared.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: __enzyme_call_inactive_float of `h`: it returns another type than the hook is declared with
double narrow(double x) { return __enzyme_call_inactive_float((void *)h, x, 3); }
