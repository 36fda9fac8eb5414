; Numbers that are a lane of a vector wherever they come from are taken from the vector; others stay. Only in modules with derivatives of ours.
; RUN: %opt -passes=backsweep-first-lanes -S %s | FileCheck %s
; RUN: sed s/backsweep.derivatives/others/ %s | %opt -passes=backsweep-first-lanes -S - | FileCheck --check-prefix=OTHER %s

; OTHER-NOT: extractelement <4 x double>
; OTHER: %x = phi double

; The first lane of each register: those of a vector of four are in two.
; CHECK-LABEL: define double @carried
; CHECK: loop:
; CHECK-NEXT: %odd = phi double
; CHECK-NEXT: %other = phi double
; CHECK-NEXT: %fours = phi <4 x double>
; CHECK-NEXT: %count = phi
; CHECK-DAG: %x = extractelement <4 x double> %fours, i64 0
; CHECK-DAG: %y = extractelement <4 x double> %fours, i64 2
define double @carried(<4 x double> %step, double %start) {
entry:
  br label %loop

loop:
  %x = phi double [ 1.0, %entry ], [ %first, %loop ]
  %y = phi double [ 3.0, %entry ], [ %third, %loop ]
  %odd = phi double [ 2.0, %entry ], [ %second, %loop ]
  %other = phi double [ 7.0, %entry ], [ %first, %loop ]
  %fours = phi <4 x double> [ <double 1.0, double 2.0, double 3.0, double 4.0>, %entry ], [ %next, %loop ]
  %count = phi i32 [ 0, %entry ], [ %more, %loop ]
  %next = fadd <4 x double> %fours, %step
  %first = extractelement <4 x double> %next, i64 0
  %second = extractelement <4 x double> %next, i64 1
  %third = extractelement <4 x double> %next, i64 2
  %more = add i32 %count, 1
  %done = icmp eq i32 %more, 10
  br i1 %done, label %exit, label %loop

exit:
  %a = fadd double %x, %y
  %b = fadd double %odd, %other
  %c = fmul double %a, %b
  ret double %c
}

; Through phis of phis, insertions and shuffles.
; CHECK-LABEL: define double @chained
; CHECK: join:
; CHECK-NEXT: phi <2 x double>
; CHECK-NEXT: %s = extractelement <2 x double> %v, i64 0
; CHECK: out:
; CHECK-NEXT: phi <2 x double>
; CHECK-NEXT: %t = extractelement <2 x double> %w, i64 0
define double @chained(i1 %p, i1 %q, double %a, <4 x double> %four) {
entry:
  %in = insertelement <2 x double> poison, double %a, i64 0
  %both = insertelement <2 x double> %in, double 1.0, i64 1
  %two = shufflevector <4 x double> %four, <4 x double> poison, <2 x i32> <i32 3, i32 0>
  %last = extractelement <4 x double> %four, i64 3
  br i1 %p, label %left, label %join

left:
  br label %join

join:
  %s = phi double [ %a, %entry ], [ %last, %left ]
  %v = phi <2 x double> [ %both, %entry ], [ %two, %left ]
  br i1 %q, label %right, label %out

right:
  br label %out

out:
  %t = phi double [ %s, %join ], [ 4.0, %right ]
  %w = phi <2 x double> [ %v, %join ], [ <double 4.0, double 5.0>, %right ]
  %product = fmul <2 x double> %v, %w
  %lane = extractelement <2 x double> %product, i64 1
  %sum = fadd double %s, %t
  %all = fadd double %sum, %lane
  ret double %all
}

; Selections by the same question, once the vector's is there; by another one they stay.
; CHECK-LABEL: define double @selected
; CHECK: %s = extractelement <2 x double> %v, i64 0
; CHECK: %u = select i1 %q
define double @selected(i1 %p, i1 %q, <2 x double> %x, <2 x double> %y) {
  %a = extractelement <2 x double> %x, i64 0
  %b = extractelement <2 x double> %y, i64 0
  %v = select i1 %p, <2 x double> %x, <2 x double> %y
  %s = select i1 %p, double %a, double %b
  %u = select i1 %q, double %a, double %b
  %other = extractelement <2 x double> %v, i64 1
  %sum = fadd double %s, %u
  %all = fadd double %sum, %other
  ret double %all
}

; Vectors of six are made vectors of eight where they go round, of which each two or four lie in one register.
; CHECK-LABEL: define double @six
; CHECK: loop:
; CHECK-NEXT: phi i32
; CHECK-NEXT: phi <8 x double> [ <double 1.0{{.*}}, double 6.0{{[^,]*}}, double undef, double undef>, %entry ]
; CHECK-NOT: %x = phi
; CHECK: %x = extractelement <8 x double>
define double @six(<6 x double> %step) {
entry:
  br label %loop

loop:
  %count = phi i32 [ 0, %entry ], [ %more, %loop ]
  %x = phi double [ 3.0, %entry ], [ %third, %loop ]
  %v = phi <6 x double> [ <double 1.0, double 2.0, double 3.0, double 4.0, double 5.0, double 6.0>, %entry ], [ %next, %loop ]
  %next = fadd <6 x double> %v, %step
  %third = extractelement <6 x double> %next, i64 2
  %more = add i32 %count, 1
  %done = icmp eq i32 %more, 10
  br i1 %done, label %exit, label %loop

exit:
  %last = extractelement <6 x double> %v, i64 5
  %sum = fadd double %x, %last
  ret double %sum
}

!backsweep.derivatives = !{}
