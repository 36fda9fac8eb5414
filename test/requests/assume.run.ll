; What touches memory by its attributes only (assumptions, scopes) has no place in memory SSA; asking for it crashed.
; RUN: %opt -passes=backsweep -S %s | FileCheck %s
; RUN: %opt -passes='print<backsweep-model>' -disable-output %s
; CHECK: define internal double @backsweep.gradient.f

declare double @__backsweep_gradient(ptr, ...)
declare void @llvm.assume(i1)
declare void @llvm.experimental.noalias.scope.decl(metadata)
declare void @llvm.sideeffect()
declare void @llvm.pseudoprobe(i64, i64, i32, i64)
declare void @llvm.donothing()

define double @f(double %x, i32 %n) {
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %positive = icmp sgt i32 %n, 0
  call void @llvm.assume(i1 %positive)
  call void @llvm.sideeffect()
  call void @llvm.pseudoprobe(i64 1, i64 1, i32 0, i64 -1)
  call void @llvm.donothing()
  %y = fmul double %x, %x
  ret double %y
}

define double @request(double %x) {
  %d = call double (ptr, ...) @__backsweep_gradient(ptr @f, double %x, i32 3)
  ret double %d
}

!0 = !{!1}
!1 = distinct !{!1, !2}
!2 = distinct !{!2}
