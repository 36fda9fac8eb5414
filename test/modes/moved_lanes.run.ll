; Lanes that intrinsics move, and steps from a global that are not promised to stay inside.
; RUN: %clang -O1 -c %root/test/sources/Inputs/check.c -o %t.check.o
; RUN: %opt -passes='default<O0>' %s -o %t.bc && %clang -O0 %t.bc %t.check.o -o %t %runtime && %t double 0.8 1.3 -0.4 2.1
; RUN: %opt -passes='default<O2>' %s -o %t.bc && %clang -O2 %t.bc %t.check.o -o %t %runtime && %t double 0.8 1.3 -0.4 2.1
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

declare void @__backsweep_gradient_void(ptr, ...)
declare double @__backsweep_tangent(ptr, ...)
declare <4 x double> @llvm.vector.interleave2.v4f64(<2 x double>, <2 x double>)
declare {<2 x double>, <2 x double>} @llvm.vector.deinterleave2.v4f64(<4 x double>)
declare <4 x double> @llvm.vector.reverse.v4f64(<4 x double>)
declare <4 x double> @llvm.vector.splice.left.v4f64(<4 x double>, <4 x double>, i32)
declare <4 x double> @llvm.vector.splice.right.v4f64(<4 x double>, <4 x double>, i32)
declare <4 x double> @llvm.vector.insert.v4f64.v2f64(<4 x double>, <2 x double>, i64)
declare <2 x double> @llvm.vector.extract.v2f64.v4f64(<4 x double>, i64)
declare double @llvm.vector.reduce.fadd.v4f64(double, <4 x double>)

@kept = internal global [4 x double] zeroinitializer

define double @f(ptr %x, i32 %n) {
  %v = load <4 x double>, ptr %x, align 8
  %parts = call {<2 x double>, <2 x double>} @llvm.vector.deinterleave2.v4f64(<4 x double> %v)
  %even = extractvalue {<2 x double>, <2 x double>} %parts, 0
  %odd = extractvalue {<2 x double>, <2 x double>} %parts, 1
  %product = fmul <2 x double> %even, %odd
  %mixed = call <4 x double> @llvm.vector.interleave2.v4f64(<2 x double> %product, <2 x double> %even)
  %back = call <4 x double> @llvm.vector.reverse.v4f64(<4 x double> %mixed)
  %left = call <4 x double> @llvm.vector.splice.left.v4f64(<4 x double> %back, <4 x double> %v, i32 1)
  %right = call <4 x double> @llvm.vector.splice.right.v4f64(<4 x double> %left, <4 x double> %mixed, i32 3)
  %last = call <2 x double> @llvm.vector.extract.v2f64.v4f64(<4 x double> %right, i64 2)
  %squares = fmul <2 x double> %last, %last
  %whole = call <4 x double> @llvm.vector.insert.v4f64.v2f64(<4 x double> %left, <2 x double> %squares, i64 2)
  %scaled = fmul <4 x double> %whole, <double 1.0, double 2.0, double 3.0, double 4.0>
  %sum = call double @llvm.vector.reduce.fadd.v4f64(double 5.000000e-01, <4 x double> %scaled)
  store double %sum, ptr getelementptr inbounds ([4 x double], ptr @kept, i64 0, i64 3)
  %first = load double, ptr %x, align 8
  %again = load double, ptr getelementptr (i8, ptr @kept, i64 24)
  %y = fmul double %first, %again
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
