; Facts stand behind each instruction: a slot that is active only for a while, a loop that saves what it overwrites, and a
; parameter that is looked at afterwards.
; RUN: %opt -passes='print<backsweep-activity>' -disable-output %s 2>&1 | FileCheck --check-prefix=ACTIVE %s
; RUN: %opt -passes='print<backsweep-liveness>' -disable-output %s 2>&1 | FileCheck --check-prefix=LIVE %s
; RUN: %opt -passes='print<backsweep-tbr>' -disable-output %s 2>&1 | FileCheck --check-prefix=TBR %s
; RUN: %opt -passes='print<backsweep-write>' -disable-output %s 2>&1 | FileCheck --check-prefix=WRITE %s
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-unknown-linux-gnu"

@bs_dup = external global i32
declare double @__backsweep_gradient(ptr, ...)
declare double @sin(double)

; ACTIVE-LABEL: activity of @backsweep.primal.reuse: from *%0, *%1, *unknown to *%0, *%1, *unknown, the result
; LIVE-LABEL: liveness of @backsweep.primal.reuse: keeps *%0, *%1, *unknown
define double @reuse(ptr noalias %x, ptr noalias %scratch) {
  %v = load double, ptr %x, align 8
  %put = fmul double %v, 2.0
  store double %put, ptr %scratch, align 8          ; ACTIVE: store {{.*}} ; active
  %a = load volatile double, ptr %scratch, align 8  ; ACTIVE-NEXT: load {{.*}} ; active
  %b = fmul double %a, %a                           ; LIVE: fmul [[A:%[0-9]+]], [[A]] ; dead
  store double 3.0, ptr %scratch, align 8           ; ACTIVE: store double 3.0{{.*}} ; active
                                                    ; LIVE: store double 3.0{{.*}} ; live
  %c = load volatile double, ptr %scratch, align 8  ; ACTIVE-NEXT: load {{.*}} ; useful
  %d = call double @sin(double %c)                  ; ACTIVE-NEXT: call @sin{{.*}} ; useful
  %e = fmul double %b, %d
  ret double %e
}

; TBR-LABEL: tbr of @backsweep.primal.inplace
; WRITE-LABEL: write of @backsweep.primal.inplace
define double @inplace(ptr noalias %u, i64 %n) {
entry:
  br label %head
head:
  %i = phi i64 [ 0, %entry ], [ %next, %body ]      ; TBR: phi ^0: i64 0{{.*}} ; saves its last value
  %more = icmp slt i64 %i, %n
  br i1 %more, label %body, label %exit
body:
  %p = getelementptr inbounds double, ptr %u, i64 %i
  %v = load double, ptr %p, align 8                 ; TBR: [[V:%[0-9]+]]: double = load {{.*}} ; reads {{%[0-9]+}}, saves nothing
  %w = fmul double %v, %v                           ; TBR-NEXT: fmul {{.*}} ; reads {{%[0-9]+}}, {{\[}}[[V]]{{\]}}, saves nothing
  store double %w, ptr %p, align 8                  ; TBR-NEXT: store {{.*}} ; reads {{%[0-9]+}}, saves memory
                                                    ; WRITE: store {{.*}} ; restored
  %next = add nsw i64 %i, 1
  br label %head
exit:
  %r = load double, ptr %u, align 8
  ret double %r
}
; WRITE: leaves overwritten: nothing

define void @gradients(ptr %x, ptr %dx, ptr %s, ptr %ds, i64 %n) {
  %1 = call double (ptr, ...) @__backsweep_gradient(ptr @reuse, ptr %x, ptr %dx, ptr %s, ptr %ds)
  %2 = call double (ptr, ...) @__backsweep_gradient(ptr @inplace, ptr %x, ptr %dx, i64 %n)
  ret void
}
