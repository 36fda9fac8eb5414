; A derivative of another compilation passes a loop by where a number is zero; somebody has made of that test what we do not read.
; Nobody guesses which way goes round the loop: no derivative is made without the function that would tell.
; RUN: %opt -passes=backsweep -S %s | FileCheck %s
; CHECK-DAG: call i1 @backsweep.unread_test(
; CHECK-DAG: declare i1 @backsweep.unread_test(

declare double @__backsweep_tangent(ptr, ...)

define double @slope(double %x) {
entry:
  %test = fcmp ogt double %x, 0.000000e+00
  br i1 %test, label %idle, label %busy, !backsweep.zero !0
busy:
  %squared = fmul double %x, %x
  br label %idle
idle:
  %y = phi double [ 0.000000e+00, %entry ], [ %squared, %busy ]
  ret double %y
}

define double @second(double %x) {
  %d = call double (ptr, ...) @__backsweep_tangent(ptr @slope, double %x, double 1.000000e+00)
  ret double %d
}

!0 = !{}
