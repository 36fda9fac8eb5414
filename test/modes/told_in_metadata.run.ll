; What Enzyme's users tell in metadata and attributes: rules of functions, and what carries no derivative.
; RUN: %opt -passes=backsweep %s -o %t.bc && %clang -O0 %t.bc -o %t %runtime && %t
; RUN: %opt -passes='default<O0>' %s -o %t.bc && %clang -O0 %t.bc -o %t %runtime && %t
; RUN: %opt -passes='default<O3>' %s -o %t.bc && %clang -O2 %t.bc -o %t %runtime && %t
declare double @llvm.sin.f64(double)
declare double @llvm.cos.f64(double)
declare double @__enzyme_autodiff(ptr, ...)
declare double @__enzyme_fwddiff(ptr, ...)
@g = internal global double 2.0, !enzyme_inactive !0
@bad = global i32 0
@fmt = private constant [14 x i8] c"%d: %g vs %g\0A\00"
declare double @llvm.fabs.f64(double)
declare i32 @printf(ptr, ...)
define double @plain(double %x) noinline {
  %r = fmul double %x, %x
  ret double %r
}
define double @f1(double %x) {
  %a = call double @plain(double %x) "enzyme_inactive"
  %r = fmul double %a, %x
  ret double %r
}
define double @f2(double %x) {
  %a = call double @plain(double %x), !enzyme_inactive !0
  %r = fmul double %a, %x
  ret double %r
}
define double @f3(double %x) {
  store double %x, ptr @g
  %a = load double, ptr @g
  %r = fmul double %a, %x
  ret double %r
}
define internal double @in(ptr %p, i64 %n) {
entry:
  br label %l
l:
  %i = phi i64 [0,%entry],[%j,%l]
  %s = phi double [1.0,%entry],[%t,%l]
  %v = load double, ptr %p
  %m = fmul double %v, %s, !enzyme_inactive !0
  %t = fadd double %m, %v
  %j = add i64 %i, 1
  %c = icmp ult i64 %j, %n
  br i1 %c, label %l, label %d
d:
  ret double %t
}
define double @f4(double %x) {
  %p = alloca double
  store double %x, ptr %p
  %r = call double @in(ptr %p, i64 4)
  ret double %r
}
define double @k(double %x) noinline !enzyme_augment !1 !enzyme_gradient !2 !enzyme_derivative !3 {
  %r = call double @llvm.sin.f64(double %x)
  ret double %r
}

define {{double},double} @aug_k(double %x) {
  %r = call double @llvm.sin.f64(double %x)
  %a = insertvalue {{double},double} undef, double %x, 0, 0
  %c = insertvalue {{double},double} %a, double %r, 1
  ret {{double},double} %c
}

define {double} @rev_k(double %x, double %d, {double} %t) {
  %v = extractvalue {double} %t, 0
  %c = call double @llvm.cos.f64(double %v)
  %m = fmul double %c, %d
  %n = fmul double %m, 7.0
  %r = insertvalue {double} undef, double %n, 0
  ret {double} %r
}

define {double,double} @fwd_k(double %x, double %d) {
  %s = call double @llvm.sin.f64(double %x)
  %c = call double @llvm.cos.f64(double %x)
  %m = fmul double %c, %d
  %n = fmul double %m, 7.0
  %a = insertvalue {double,double} undef, double %s, 0
  %b = insertvalue {double,double} %a, double %n, 1
  ret {double,double} %b
}

define double @usek(double %x) {
  %a = call double @k(double %x)
  %b = fmul double %a, %a
  ret double %b
}



define void @chk(i32 %id, double %a, double %b) noinline {
  %d = fsub double %a, %b
  %e = call double @llvm.fabs.f64(double %d)
  %c = fcmp olt double %e, 1.0e-9
  br i1 %c, label %ok, label %no
no:
  %u = call i32 (ptr, ...) @printf(ptr @fmt, i32 %id, double %a, double %b)
  store i32 1, ptr @bad
  br label %ok
ok:
  ret void
}
define i32 @main() {
  %v1 = call double (ptr, ...) @__enzyme_autodiff(ptr @f1, double 0.5)
  call void @chk(i32 1, double %v1, double 0.25)
  %v2 = call double (ptr, ...) @__enzyme_fwddiff(ptr @f2, double 0.5, double 1.0)
  call void @chk(i32 2, double %v2, double 0.25)
  %v3 = call double (ptr, ...) @__enzyme_autodiff(ptr @f3, double 0.5)
  call void @chk(i32 3, double %v3, double 0.5)
  %v4 = call double (ptr, ...) @__enzyme_autodiff(ptr @f4, double 0.5)
  call void @chk(i32 4, double %v4, double 1.0)
  %v5 = call double (ptr, ...) @__enzyme_autodiff(ptr @usek, double 0.5)
  %s5 = call double @llvm.sin.f64(double 0.5)
  %c5 = call double @llvm.cos.f64(double 0.5)
  %sc = fmul double %s5, %c5
  %sc2 = fmul double %sc, 14.0
  call void @chk(i32 5, double %v5, double %sc2)
  %v6 = call double (ptr, ...) @__enzyme_fwddiff(ptr @usek, double 0.5, double 1.0)
  call void @chk(i32 6, double %v6, double %sc2)
  %r = load i32, ptr @bad
  ret i32 %r
}
!0 = !{}
!1 = !{ptr @aug_k}
!2 = !{ptr @rev_k}
!3 = !{ptr @fwd_k}
