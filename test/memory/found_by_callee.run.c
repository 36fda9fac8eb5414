/* A function that stays a call reads through a pointer found in memory what its caller has written by name: the shadow of what the
   caller knows is made by its derivative, and the callee is handed it to compare with. Where they are one the program ends. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime -lm && %t apart && %not %t 2>&1 | %filecheck %s
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// CHECK: in the derivative of 'down' the pointer {{.*}} leads into the global 'work'{{.*}} [BS212]
#include "backsweep.h"
#include <stdio.h>
static double work[3];
double *found;
static double down(int n, double s) {
  if (n == 0) return s;
  double v = found[n % 3] * s;
  return down(n - 1, v) + v;
}
static double f(double x) {
  work[0] = x; work[1] = x * x; work[2] = 2 * x;
  return down(3, x);
}
int main(int argc, char **argv) {
  found = argc > 1 ? (double[]){1, 2, 3} : work;
  double x = 1.3, h = 1e-6;
  double d = __backsweep_gradient((void *)f, x);
  double n = (f(x + h) - f(x - h)) / (2 * h);
  printf("%.8g %.8g\n", d, n);
  return !(d - n < 1e-5 && n - d < 1e-5);
}
