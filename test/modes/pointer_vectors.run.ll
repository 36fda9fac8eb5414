; Two pointers that are moved at once, as optimisers leave them that ran before us: each has its shadow.
; RUN: %clang -O1 -c %root/test/sources/Inputs/check.c -o %t.check.o
; RUN: %opt -passes='default<O0>' %s -o %t.bc && %clang -O0 %t.bc %t.check.o -o %t %runtime && %t double 0.8 1.3 -0.4 2.1
; RUN: %opt -passes='default<O2>' %s -o %t.bc && %clang -O2 %t.bc %t.check.o -o %t %runtime && %t double 0.8 1.3 -0.4 2.1
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @__backsweep_gradient_void(ptr, ...)
declare double @__backsweep_tangent(ptr, ...)

; The pointers to the first and the second half change places from one pass to the next, in memory that is not given up.
define internal double @swapped(ptr %x, i32 %n) {
entry:
  %pair = alloca [2 x ptr], align 16
  %second = getelementptr double, ptr %x, i64 2
  %one = insertelement <2 x ptr> poison, ptr %x, i64 0
  %both = insertelement <2 x ptr> %one, ptr %second, i64 1
  store <2 x ptr> %both, ptr %pair, align 16
  br label %body

body:
  %i = phi i32 [ 0, %entry ], [ %next, %body ]
  %sum = phi double [ 0.0, %entry ], [ %more, %body ]
  %odd = and i32 %i, 1
  %at = getelementptr ptr, ptr %pair, i32 %odd
  %half = load ptr, ptr %at, align 8
  %a = load double, ptr %half, align 8
  %behind = getelementptr double, ptr %half, i64 1
  %b = load double, ptr %behind, align 8
  %product = fmul double %a, %b
  %count = sitofp i32 %i to double
  %term = fmul double %product, %count
  %more = fadd double %sum, %term
  %found = load <2 x ptr>, ptr %pair, align 16
  %turned = shufflevector <2 x ptr> %found, <2 x ptr> poison, <2 x i32> <i32 1, i32 0>
  %third = icmp eq i32 %i, 2
  %kept = select i1 %third, <2 x ptr> %turned, <2 x ptr> %found
  store <2 x ptr> %kept, ptr %pair, align 16
  %next = add nsw i32 %i, 1
  %end = icmp eq i32 %next, 6
  br i1 %end, label %exit, label %body

exit:
  ret double %more
}

define double @primal(ptr %x, i32 %n) {
  %y = call double @swapped(ptr %x, i32 %n)
  ret double %y
}

define void @gradient(ptr %x, ptr %dx, i32 %n) {
  call void (ptr, ...) @__backsweep_gradient_void(ptr @swapped, ptr %x, ptr %dx, i32 %n)
  ret void
}

define double @tangent(ptr %x, ptr %dx, i32 %n) {
  %d = call double (ptr, ...) @__backsweep_tangent(ptr @swapped, ptr %x, ptr %dx, i32 %n)
  ret double %d
}
