; opt refuses as the compilers do. There is no debug information, so the message names the function itself.
;
; opt has opened its output file before any pass runs, and exits without removing or filling it. An empty file cannot be
; mistaken for a derivative; its exit status tells.
; RUN: not %opt -passes=backsweep %s -o %t.bc 2>&1 | FileCheck %s
; RUN: test ! -s %t.bc
; RUN: not %opt -passes='default<O2>' %s -o %t.bc 2>&1 | FileCheck %s
; RUN: test ! -s %t.bc
; CHECK: error: {{.*}}backsweep: {{.*}}elsewhere{{.*}} [BS002]

declare double @elsewhere(double)
declare double @__backsweep_gradient(ptr, ...)

define double @request(double %x) {
  %d = call double (ptr, ...) @__backsweep_gradient(ptr @elsewhere, double %x)
  ret double %d
}
