; Pairs that may or may not be the same memory: p and q, p and s, r and s. What stays together needs three graphs; the store
; through r, which nobody reads before s, may come forward, and two are enough.
; RUN: %opt -passes='print<backsweep-graph>' -disable-output %s 2>&1 | FileCheck --check-prefix=CONTIGUOUS %s
; RUN: env BACKSWEEP_OPTIONS=graphs=layered %opt -passes='print<backsweep-graph>' -disable-output %s 2>&1 | FileCheck --check-prefix=LAYERED %s
; RUN: env BACKSWEEP_OPTIONS=graphs=layered %opt -passes='print<backsweep-graph-dot>' -disable-output %s 2>&1 | FileCheck --check-prefix=DOT %s

define void @block(double %x, ptr noalias %a, ptr noalias %b, ptr noalias %r, i1 %first, i1 %last, ptr noalias %y, ptr noalias %z) {
  %p = select i1 %first, ptr %a, ptr %b
  %s = select i1 %last, ptr %b, ptr %r
  store double %x, ptr %p
  %q = load double, ptr %a
  %sine = call double @llvm.sin.f64(double %q)
  store double %sine, ptr %y
  %cosine = call double @llvm.cos.f64(double %x)
  store double %cosine, ptr %r
  %found = load double, ptr %s
  %power = call double @llvm.exp.f64(double %found)
  store double %power, ptr %z
  ret void
}

define double @request(double %x, ptr %a, ptr %da, ptr %b, ptr %db, ptr %r, ptr %dr, i1 %first, i1 %last, ptr %y, ptr %dy, ptr %z, ptr %dz) {
  %dx = call double (ptr, ...) @__backsweep_gradient(ptr @block, double %x, ptr %a, ptr %da, ptr %b, ptr %db, ptr %r, ptr %dr, i1 %first, i1 %last, ptr %y, ptr %dy, ptr %z, ptr %dz)
  ret double %dx
}

declare double @llvm.sin.f64(double)
declare double @llvm.cos.f64(double)
declare double @llvm.exp.f64(double)
declare double @__backsweep_gradient(ptr, ...)

; CONTIGUOUS: region ^0: 3 graphs
; LAYERED: region ^0: 2 graphs
; DOT-COUNT-2: subgraph "cluster {{.*}}.a"
; DOT-NOT: subgraph "cluster {{.*}}.a"
