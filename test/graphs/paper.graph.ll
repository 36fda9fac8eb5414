; The basic block of equation 3 of the control flow paper, as the printing pass shows it: before elimination with the
; labels of its edges, then the program of the Jacobian and the edges that carry it.
; RUN: %opt -passes='print<backsweep-graph>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<backsweep-graph-dot>' -disable-output %s 2>&1 | FileCheck --check-prefix=DOT %s
; The module stays as it is, and nothing is differentiated.
; RUN: %opt -passes='print<backsweep-graph>' -S %s 2>/dev/null | FileCheck --check-prefix=SAME %s

define void @block(ptr noalias %x, ptr noalias %y) {
  %x2 = getelementptr inbounds double, ptr %x, i64 1
  %v1 = load double, ptr %x
  %v2 = load double, ptr %x2
  %v3 = fmul double %v1, %v2
  %v4 = fmul double %v1, %v3
  %v6 = call double @llvm.sin.f64(double %v4)
  %t = fmul double %v3, %v2
  %v7 = fmul double %t, %v4
  store double %v6, ptr %y
  %y2 = getelementptr inbounds double, ptr %y, i64 1
  store double %v7, ptr %y2
  ret void
}

define void @request(ptr %x, ptr %dx, ptr %y, ptr %dy) {
  call void (ptr, ...) @__backsweep_gradient(ptr @block, ptr %x, ptr %dx, ptr %y, ptr %dy)
  ret void
}

declare double @llvm.sin.f64(double)
declare void @__backsweep_gradient(ptr, ...)
