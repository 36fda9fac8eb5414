// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
/* A struct by value where a pointer to one has to be: an argument, and a shadow that something is added to. */
#include "backsweep.h"

struct v3 { double x, y, z; };
double by_value(struct v3 v) { return v.x * v.y; }
double by_pointer(struct v3 *v) { return v->x * v->y; }

void ask(struct v3 v, struct v3 d)
{
    // CHECK-DAG: by-value.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: shadow of parameter `v` is a struct by value, to which nothing can be added; expected a pointer to it
    __backsweep_gradient((void *)by_value, v, d);
    // CHECK-DAG: by-value.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: argument for parameter `v` is a struct by value; expected a pointer
    __backsweep_gradient((void *)by_pointer, v, &d);
}
