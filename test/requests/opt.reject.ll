; opt refuses as the compilers do. There is no debug information, so the message names the function itself.
;
; opt writes its output before it looks at reported errors, which no plugin can prevent; its exit status tells. What it
; writes still has the hook in it, so that it cannot be linked and mistaken for a derivative.
; RUN: not %opt -passes=backsweep -S %s -o %t.ll 2>&1 | FileCheck %s
; RUN: FileCheck %s --check-prefix=LEFT < %t.ll
; RUN: not %opt -passes='default<O2>' -S %s -o %t.ll 2>&1 | FileCheck %s
; RUN: FileCheck %s --check-prefix=LEFT < %t.ll
; CHECK: error: {{.*}}backsweep: {{.*}}elsewhere{{.*}} [BS002]
; LEFT: call double {{.*}}@__backsweep_gradient{{.*}}@elsewhere

declare double @elsewhere(double)
declare double @__backsweep_gradient(ptr, ...)

define double @request(double %x) {
  %d = call double (ptr, ...) @__backsweep_gradient(ptr @elsewhere, double %x)
  ret double %d
}
