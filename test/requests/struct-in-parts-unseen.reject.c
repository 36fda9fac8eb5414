/* In code that was optimised before, parts of a struct by value stand one by one, and which belong to its shadow cannot be told. */
// RUN: %clang -O2 -g -S -emit-llvm %s -o %t.ll
// RUN: not %opt -passes=backsweep %t.ll -o %t.bc 2>&1 | FileCheck %s
struct pair { double a, b; };
double __enzyme_fwddiff(void *, ...);
extern int enzyme_const;
static double product(struct pair p) { return p.a * p.b; }
double ask(struct pair p, struct pair d)
{
    // CHECK: struct-in-parts-unseen.reject.c:[[@LINE+1]]:{{.*}}backsweep: `product` takes a struct or complex number by value, which travels in parts
    return __enzyme_fwddiff((void *)product, p, d);
}
