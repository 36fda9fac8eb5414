; The basic block of equation 3 of the control flow paper, as the printing pass shows it: before elimination with the
; labels of its edges, then the program of the Jacobian and the edges that carry it.
; RUN: %opt -passes='print<backsweep-graph>' -disable-output %s 2>&1 | FileCheck %s
; RUN: %opt -passes='print<backsweep-graph-dot>' -disable-output %s 2>&1 | FileCheck --check-prefix=DOT %s
; RUN: env BACKSWEEP_OPTIONS=eliminate=edges:HS,LM,R %opt -passes='print<backsweep-graph>' -disable-output %s 2>&1 | FileCheck --check-prefix=PAPER %s
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

; PAPER: eliminated by HS,LM,R by edges: 6 multiplications, 4 multiply-adds, 1 calls; to apply 4 multiply-adds

; CHECK: function @{{.*}}block
; CHECK-NEXT: region ^0: 1 graph
; CHECK-NEXT: graph 0: 2 inputs, 3 between, 2 outputs
; CHECK-NEXT: in v0: the cell read by %3
; CHECK-NEXT: in v1: the cell read by %4
; CHECK-NEXT: v2: %5
; CHECK-NEXT: v3: %6
; CHECK-NEXT: out v4: %7, the cell written by %10
; CHECK-NEXT: v5: %8
; CHECK-NEXT: out v6: %9, the cell written by %12
; CHECK-NEXT: v0 -> v2: %4
; CHECK-NEXT: v0 -> v3: %5
; CHECK-NEXT: v1 -> v2: %3
; CHECK-NEXT: v1 -> v5: %5
; CHECK-NEXT: v2 -> v3: %3
; CHECK-NEXT: v2 -> v5: %4
; CHECK-NEXT: v3 -> v4: d%7/d%6
; CHECK-NEXT: v3 -> v6: %8
; CHECK-NEXT: v5 -> v6: %6

; Both v3 + v1 v2 stand twice in the Jacobian and are computed once: 9 products where the graph by itself needs 10.
; CHECK-NEXT: eliminated by {{.*}}: 6 multiplications, 3 multiply-adds, 1 calls; to apply 4 multiply-adds; 32 bytes to record
; CHECK-NEXT: [[BOTH:t[0-9]+]] = %5 + %4 * %3
; CHECK-NEXT: [[V2V2:t[0-9]+]] = %4 * %4
; CHECK-NEXT: [[V1V1:t[0-9]+]] = %3 * %3
; CHECK-NEXT: [[C61:t[0-9]+]] = d%7/d%6 * [[BOTH]]
; CHECK-NEXT: [[A:t[0-9]+]] = %8 * [[BOTH]]
; CHECK-NEXT: [[C62:t[0-9]+]] = d%7/d%6 * [[V1V1]]
; CHECK-NEXT: [[B:t[0-9]+]] = %8 * [[V1V1]]
; CHECK-NEXT: [[C71:t[0-9]+]] = [[A]] + %6 * [[V2V2]]
; CHECK-NEXT: [[C72:t[0-9]+]] = [[B]] + %6 * [[BOTH]]
; CHECK-NEXT: v0 -> v4: [[C61]]
; CHECK-NEXT: v0 -> v6: [[C71]]
; CHECK-NEXT: v1 -> v4: [[C62]]
; CHECK-NEXT: v1 -> v6: [[C72]]

; DOT: digraph graphs {
; DOT: label="{{.*}}block.0.0"
; DOT: .a0" [label="in v0: the cell read by %3", shape=box]
; DOT: .a3" -> "{{.*}}.a4" [label="d%7/d%6"]
; DOT: label="{{.*}}block.0.0 eliminated by {{.*}}"
; DOT: .b0" -> "{{.*}}.b4" [label="t{{[0-9]+}}"]
; DOT: {{^}}}

; SAME: define void @request
; SAME: call {{.*}}@__backsweep_gradient(ptr @block
; SAME-NOT: primal
