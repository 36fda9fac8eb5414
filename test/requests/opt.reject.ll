; opt refuses as the compilers do. There is no debug information, so the message names the function itself.
; RUN: %refused %t.bc %opt -passes=backsweep %s | FileCheck %s
; RUN: %refused %t.bc %opt -passes='default<O2>' %s | FileCheck %s
; CHECK: backsweep: {{.*}}elsewhere{{.*}} [BS{{[0-9]+}}]

declare double @elsewhere(double)
declare double @__backsweep_gradient(ptr, ...)

define double @request(double %x) {
  %d = call double (ptr, ...) @__backsweep_gradient(ptr @elsewhere, double %x)
  ret double %d
}
