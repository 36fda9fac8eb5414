; What compilers for other targets and languages emit: every construct has a place, and the text says all of it. Funclets
; of Windows and the rarest atomics are opaque, and that is said.
; RUN: %opt -passes='print<backsweep-model>' -disable-output %s 2> %t.model
; RUN: FileCheck %s < %t.model
; RUN: %release/model-check odd=%t.model > %t.report || true
; RUN: FileCheck --check-prefix=REPORT %s < %t.report
;
; REPORT: opaque operation atomicrmw
; REPORT: opaque operation catchpad
; REPORT: 0 of 1 files are no faithful models
;
; CHECK: alias @al = @.unnamed.0
; CHECK: ifunc @if = @resolver
; CHECK: function @nocfi
; CHECK: store ptr opaque "ptr no_cfi @g"
; CHECK: function @atom
; The order on success, which LLVM's C interface reads from the wrong class when asked for `the` order.
; CHECK: = cmpxchg %0, i64 1, i64 2 volatile acq_rel
; A fence reads what was last written, not itself.
; CHECK: %10 = fence release
; CHECK-NEXT: clobber %9
; CHECK: function @scal
; The size of two scalable vectors is known at run time only.
; CHECK: load %6 align 16
; CHECK: function @callbr
; CHECK: callbr ptr opaque {{.*}} to ^1 or(^2)
; Different metadata stay different.
; CHECK: function @constrained
; CHECK: metadata opaque "metadata 0"
; CHECK: metadata opaque "metadata 1"
; CHECK: metadata opaque "!\"round.tonearest\""
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"
@0 = global i32 1
@1 = private constant [2 x ptr] [ptr @g, ptr dso_local_equivalent @g]
@t = thread_local global double 0.0
@sp = addrspace(3) global i32 0
@al = alias i32, ptr @0
@if = ifunc double (double), ptr @resolver
@wide = global i256 123456789012345678901234567890123456789012345678901234567890
@ba = global ptr blockaddress(@blocks, %two)
@ce = global i64 sub (i64 ptrtoint (ptr @0 to i64), i64 ptrtoint (ptr @t2 to i64))
@t2 = global { i8, <{ i16, double }>, [0 x i32] } zeroinitializer
@strange = global i32 0
@"quoted \22 name" = global i32 7
define internal ptr @resolver() { ret ptr @g }
define double @g(double %x) { ret double %x }
declare i32 @__gxx_personality_v0(...)
declare void @throws(i32)
define void @nocfi(ptr %p) {
  store ptr no_cfi @g, ptr %p
  store ptr dso_local_equivalent @g, ptr %p
  ret void
}
define double @atom(ptr %p, ptr addrspace(3) %q, double %v) {
  %a = cmpxchg weak volatile ptr %p, i64 1, i64 2 syncscope("singlethread") acq_rel acquire, align 8
  %b = atomicrmw uinc_wrap ptr %p, i32 4 monotonic
  %b2 = atomicrmw fmaximum ptr %p, double %v monotonic
  %b3 = atomicrmw usub_sat ptr %p, i32 4 monotonic
  %c = atomicrmw fadd ptr %p, double %v seq_cst
  %d = load atomic i32, ptr addrspace(3) %q unordered, align 4
  %v2 = atomicrmw fadd ptr %p, <2 x half> <half 1.0, half 2.0> seq_cst
  fence syncscope("agent") release
  store atomic i32 %d, ptr @0 release, align 4
  %e = cmpxchg ptr %p, ptr null, ptr @0 seq_cst monotonic
  ret double %c
}
define i256 @sw(i256 %x, i1 %c) {
  switch i256 %x, label %d [ i256 1, label %a
   i256 1606938044258990275541962092341162602522202993782792835301376, label %b ]
a: ret i256 1
b: ret i256 1606938044258990275541962092341162602522202993782792835301376
d: br i1 %c, label %d2, label %d2
d2: %p = phi i256 [ 1, %d ], [ 1, %d ]
 ret i256 %p
}
define <vscale x 2 x double> @scal(ptr %p, i64 %n, <vscale x 2 x i1> %m) {
  %v = load <vscale x 2 x double>, ptr %p
  %al = alloca <vscale x 4 x i32>
  %vs = call i64 @llvm.vscale.i64()
  %g = getelementptr <vscale x 2 x double>, ptr %p, i64 %n
  %s = load { <vscale x 2 x double>, <vscale x 2 x double> }, ptr %g
  %e = extractvalue { <vscale x 2 x double>, <vscale x 2 x double> } %s, 1
  store { <vscale x 2 x double>, <vscale x 2 x double> } %s, ptr %p
  %sum = fadd <vscale x 2 x double> %v, %e
  %sp = fadd <vscale x 2 x double> %sum, splat (double 2.0)
  %sh = shufflevector <vscale x 2 x double> %sp, <vscale x 2 x double> poison, <vscale x 2 x i32> zeroinitializer
  %gs = getelementptr i8, ptr %p, <vscale x 2 x i64> zeroinitializer
  ret <vscale x 2 x double> %sh
}
declare i64 @llvm.vscale.i64()
define void @blocks(ptr %q) {
  indirectbr ptr %q, [label %one, label %two, label %one]
one: ret void
two: ret void
}
define double @musttail(double %x) {
  %r = musttail call double @g(double %x)
  ret double %r
}
define double @viaif(double %x) {
  %r = call double @if(double %x)
  %s = load i32, ptr @al
  ret double %r
}
define void @bundles(ptr %p, i32 %k) personality ptr @__gxx_personality_v0 {
  call void @llvm.assume(i1 true) [ "align"(ptr %p, i32 %k), "nonnull"(ptr %p) ]
  invoke void @throws(i32 %k) [ "deopt"(i32 1, ptr %p) ] to label %n unwind label %u
n: ret void
u: %l = landingpad { ptr, i32 } cleanup catch ptr @0 filter [1 x ptr] [ptr @1]
  %f = freeze { ptr, i32 } %l
  resume { ptr, i32 } %f
}
declare void @llvm.assume(i1)
define i32 @callbr(i32 %x) {
  %r = callbr i32 asm "", "=r,r,!i"(i32 %x) to label %a [label %b]
a: ret i32 %r
b: ret i32 1
}
declare i32 @__CxxFrameHandler3(...)
define i32 @win() personality ptr @__CxxFrameHandler3 {
  invoke void @throws(i32 1) to label %ok unwind label %cs
cs: %cs1 = catchswitch within none [label %handler] unwind label %cl
handler: %cp = catchpad within %cs1 [ptr null, i32 64, ptr null]
  call void @throws(i32 2) [ "funclet"(token %cp) ]
  catchret from %cp to label %ok
cl: %clp = cleanuppad within none []
  cleanupret from %clp unwind to caller
ok: ret i32 0
}
declare token @llvm.coro.id(i32, ptr, ptr, ptr)
declare ptr @llvm.coro.begin(token, ptr)
declare i8 @llvm.coro.suspend(token, i1)
declare void @llvm.coro.end(ptr, i1, token)
define ptr @coro(ptr %m) presplitcoroutine {
  %id = call token @llvm.coro.id(i32 0, ptr null, ptr null, ptr null)
  %h = call ptr @llvm.coro.begin(token %id, ptr %m)
  %s = call i8 @llvm.coro.suspend(token none, i1 false)
  switch i8 %s, label %end [i8 0, label %end
    i8 1, label %end]
end: call void @llvm.coro.end(ptr %h, i1 false, token none)
  ret ptr %h
}
declare double @llvm.experimental.constrained.fadd.f64(double, double, metadata, metadata)
declare void @llvm.pseudoprobe(i64, i64, i32, i64)
declare void @llvm.experimental.noalias.scope.decl(metadata)
define double @constrained(double %x, ptr %p) strictfp {
  call void @llvm.pseudoprobe(i64 1, i64 1, i32 0, i64 -1)
  call void @llvm.experimental.noalias.scope.decl(metadata !3)
  call void @llvm.experimental.noalias.scope.decl(metadata !5)
  %r = call double @llvm.experimental.constrained.fadd.f64(double %x, double %x, metadata !"round.tonearest", metadata !"fpexcept.strict") strictfp
  ret double %r
}
define target("spirv.Image") @ext(target("spirv.Image") %x) { ret target("spirv.Image") %x }
define void @amx(ptr %p) {
  %t = call x86_amx @llvm.x86.tilezero.internal(i16 1, i16 4)
  call void @llvm.x86.tilestored64.internal(i16 1, i16 4, ptr %p, i64 4, x86_amx %t)
  ret void
}
declare x86_amx @llvm.x86.tilezero.internal(i16, i16)
declare void @llvm.x86.tilestored64.internal(i16, i16, ptr, i64, x86_amx)
define i8 @va(ptr %l) { 
  %v = va_arg ptr %l, i8
  ret i8 %v }
define void @unreach(ptr %p) {
  ret void
dead:
  %x = load i32, ptr %p
  %y = add i32 %y2, %x
  %y2 = add i32 %y, 1
  br label %dead
}
define <4 x ptr> @vgep(<4 x ptr> %b, i64 %i, ptr %p) {
  %g = getelementptr inbounds {i32, [4 x double]}, <4 x ptr> %b, i64 %i, i32 1, i64 %i
  %h = getelementptr nuw {i32, [4 x double]}, ptr %p, <4 x i64> zeroinitializer, <4 x i32> splat (i32 1), <4 x i64> <i64 0,i64 1,i64 2,i64 3>
  %e = extractelement <4 x ptr> %h, i64 7
  %q = ptrtoaddr ptr %p to i64
  %as = addrspacecast ptr %p to ptr addrspace(3)
  %ic = icmp samesign ult i64 %q, 5
  %tr = trunc nuw nsw i64 %q to i7
  %zz = zext nneg i7 %tr to i9
  %dj = or disjoint i64 %q, 5
  %fc = fcmp fast ueq double 0x7FF8000000000001, 0xFFF0000000000000
  %vs = select <4 x i1> <i1 0, i1 1, i1 poison, i1 undef>, <4 x ptr> %g, <4 x ptr> %h
  %x1 = fadd x86_fp80 0xK3FFF8000000000000000, 0xK00000000000000000001
  %pp = fadd ppc_fp128 0xM3FF00000000000000000000000000000, 0xM3FF00000000000000000000000000001
  %qq = fmul fp128 0xL00000000000000003FFF000000000000, 0xL00000000000000003FFF000000000001
  %hb = fpext bfloat 0xR3F80 to float
  ret <4 x ptr> %vs
}
define void @byv(ptr byval({i32, double}) align 8 %a, ptr sret([2 x i64]) %b, i32 inreg signext range(i32 0, 5) %c, ptr nocapture readonly dereferenceable(8) %d) #0 {
  ret void
}
define weak_odr hidden double @weak(double %x) { ret double %x }
define available_externally double @avail(double %x) { ret double %x }
define linkonce double @lonce(double %x) { ret double %x }
declare extern_weak void @ew()
@common = common global [3 x i64] zeroinitializer
@ext2 = external global %opaque
%opaque = type opaque
attributes #0 = { "a b"="c \22 d" nounwind allocsize(2) memory(argmem: readwrite) }
!3 = !{!4}
!4 = distinct !{!4, !7}
!5 = !{!6}
!6 = distinct !{!6, !7}
!7 = distinct !{!7}
