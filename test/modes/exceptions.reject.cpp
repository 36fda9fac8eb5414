/* Exceptions that would carry a derivative past what is recorded. */
// RUN: %refused %t.o %clangxx -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clangxx -g -O2 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
#include "backsweep.h"

// What is thrown has several bases, and it is caught by one that does not lie at its beginning.
struct Left { double left; };
struct Right { double right; };
struct Both : Left, Right {};
double thrown(double x) {
  try {
    // CHECK-DAG: exceptions.reject.cpp:[[@LINE+3]]:{{.*}}error: backsweep: {{.*}}into the memory of an exception
    Both both;
    both.left = x, both.right = x * x;
    if (x > 0) throw both;
    return x;
  } catch (const Right &v) {
    return v.right * x;
  }
}

// What is held may be thrown again by a function that nobody sees.
void hand_on();
double unseen(double x) {
  try {
    try {
      // CHECK-DAG: exceptions.reject.cpp:[[@LINE+1]]:{{.*}}error: backsweep: {{.*}}into the memory of an exception
      if (x > 0) throw x * x;
      return x;
    } catch (double) {
      hand_on();
    }
  } catch (double v) {
    return v * x;
  }
  return x;
}

// What the callee has recorded ends where the exception left it.
void scale(double *x, int depth) {
  x[depth] *= x[0];
  if (depth > 3) throw 1;
  scale(x, depth + 1);
}
double caught(double *x) {
  try {
    // CHECK-DAG: exceptions.reject.cpp:[[@LINE+1]]:{{.*}}error: backsweep: an exception out of the call of `scale` is caught here
    scale(x, 0);
  } catch (int) {
  }
  return x[1];
}

double use(double *x, double *dx) {
  __backsweep_gradient_void((void *)caught, x, dx);
  return __backsweep_gradient((void *)thrown, x[0]) + __backsweep_gradient((void *)unseen, x[0]);
}
