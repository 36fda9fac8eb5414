; Vectors as vectorisers leave them: lanes that nobody defined are computed with beside others, and vectors of a loop are
; recorded on a tape that is aligned for scalars.
; RUN: %clang -O1 -c %root/test/sources/Inputs/check.c -o %t.check.o
; RUN: %opt -passes='default<O0>' %s -o %t.bc && %clang -O0 %t.bc %t.check.o -o %t %runtime && %t double 0.8 1.3 -0.4 2.1
; RUN: %opt -passes='default<O2>' %s -o %t.bc && %clang -O2 %t.bc %t.check.o -o %t %runtime && %t double 0.8 1.3 -0.4 2.1
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @__backsweep_gradient_void(ptr, ...)
declare double @__backsweep_tangent(ptr, ...)

; The second lane of every product is open; the second of %sum is not, and passes through the shuffle.
define internal double @lanes(ptr %x) {
  %x1 = load double, ptr %x, align 8
  %at2 = getelementptr double, ptr %x, i64 1
  %x2 = load double, ptr %at2, align 8
  %open = insertelement <2 x double> poison, double %x1, i64 0
  %both = insertelement <2 x double> %open, double %x2, i64 1
  %squares = fmul <2 x double> %both, %both
  %half = insertelement <2 x double> <double poison, double 5.000000e-01>, double %x2, i64 0
  %sum = fadd <2 x double> %squares, %half
  %turned = shufflevector <2 x double> %sum, <2 x double> poison, <2 x i32> <i32 1, i32 poison>
  %product = fmul <2 x double> %sum, %turned
  %y = extractelement <2 x double> %product, i64 0
  ret double %y
}

; Records are aligned for scalars, so that not every vector lies where a vector would like to.
define internal double @loop(ptr %x, i32 %n) {
entry:
  %first = load <2 x double>, ptr %x, align 8
  br label %body

body:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %v = phi <2 x double> [ %first, %entry ], [ %w, %latch ]
  %odd = and i32 %i, 1
  %test = icmp eq i32 %odd, 0
  %square = fmul <2 x double> %v, %v
  br i1 %test, label %even, label %latch

even:
  %scaled = fmul <2 x double> %square, <double 2.500000e-01, double 5.000000e-01>
  br label %latch

latch:
  %w = phi <2 x double> [ %square, %body ], [ %scaled, %even ]
  %next = add i32 %i, 1
  %more = icmp slt i32 %next, %n
  br i1 %more, label %body, label %done

done:
  %a = extractelement <2 x double> %w, i64 0
  %b = extractelement <2 x double> %w, i64 1
  %y = fmul double %a, %b
  ret double %y
}

define double @f(ptr %x, i32 %n) {
  %a = call double @lanes(ptr %x)
  %at = getelementptr double, ptr %x, i64 1
  %b = call double @loop(ptr %at, i32 %n)
  %y = fadd double %a, %b
  ret double %y
}

define double @primal(ptr %x, i32 %n) {
  %y = call double @f(ptr %x, i32 %n)
  ret double %y
}

define void @gradient(ptr %x, ptr %dx, i32 %n) {
  call void (ptr, ...) @__backsweep_gradient_void(ptr @f, ptr %x, ptr %dx, i32 %n)
  ret void
}

define double @tangent(ptr %x, ptr %dx, i32 %n) {
  %d = call double (ptr, ...) @__backsweep_tangent(ptr @f, ptr %x, ptr %dx, i32 %n)
  ret double %d
}
