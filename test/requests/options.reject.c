/* Options that are not understood, and a fault of ours, end in one diagnostic and no output. */
// DEFINE: %{options} =
// DEFINE: %{refused} = %refused %t.o env BACKSWEEP_OPTIONS='%{options}' %clang -O2 -g %include %pass -c %s > %t.text && test "$(grep -c 'error: backsweep' %t.text)" = 1
// REDEFINE: %{options} = fast
// RUN: %{refused}
// RUN: FileCheck --check-prefix=UNKNOWN %s < %t.text
// REDEFINE: %{options} = disable=reevaluate;strong-zero=maybe
// RUN: %{refused}
// RUN: FileCheck --check-prefix=VALUE %s < %t.text
// REDEFINE: %{options} = strip=none
// RUN: %{refused}
// RUN: FileCheck --check-prefix=STRIP %s < %t.text
// REDEFINE: %{options} = invert=all
// RUN: %{refused}
// RUN: FileCheck --check-prefix=INVERT %s < %t.text
// REDEFINE: %{options} = preaccumulate=often
// RUN: %{refused}
// RUN: FileCheck --check-prefix=LOCAL %s < %t.text
// REDEFINE: %{options} = eliminate=edges:HS,fastest
// RUN: %{refused}
// RUN: FileCheck --check-prefix=HEURISTIC %s < %t.text
// REDEFINE: %{options} = eliminate=HS,LM,R
// RUN: %{refused}
// RUN: FileCheck --check-prefix=TECHNIQUE %s < %t.text
// REDEFINE: %{options} = graphs=some
// RUN: %{refused}
// RUN: FileCheck --check-prefix=GRAPHS %s < %t.text
// REDEFINE: %{options} = abreast=often
// RUN: %{refused}
// RUN: FileCheck --check-prefix=ABREAST %s < %t.text
// REDEFINE: %{options} = disable=everything
// RUN: %{refused}
// RUN: FileCheck --check-prefix=DISABLE %s < %t.text
// REDEFINE: %{options} = panic=on
// RUN: %{refused}
// RUN: FileCheck --check-prefix=PANIC %s < %t.text
// RUN: %clang -O2 %include %pass -c %s -S -emit-llvm -o %t.ll
// RUN: not %opt '-passes=backsweep<speed=11>' %t.ll -o /dev/null 2>&1 | FileCheck --check-prefix=PARAMETER %s
/* What the environment says well is taken, spaces and empty options included. */
// RUN: env BACKSWEEP_OPTIONS=' strong-zero = off ;; disable=reevaluate,activity,liveness,tbr,write,mincut,restore,preaccumulate;' %clang -O2 %include %pass -c %s -o %t.o

// UNKNOWN: error: backsweep: unknown option `fast`; the options are disable=LIST, strong-zero=on|off, preaccumulate=on|off|always, eliminate=BY:SEQUENCE, graphs=contiguous|layered, abreast=on|off|always, invert=exact|floats, resident=never|long|always, put-back=cheaper|always, strip=BYTES, panic=on|off [BS040]
// VALUE: error: backsweep: `strong-zero=maybe`: expected on or off [BS040]
// STRIP: error: backsweep: `strip=none`: expected a number of bytes [BS040]
// INVERT: error: backsweep: `invert=all`: expected exact or floats [BS040]
// LOCAL: error: backsweep: `preaccumulate=often`: expected on, off or always [BS040]
// HEURISTIC: error: backsweep: `eliminate=edges:HS,fastest`: `fastest` is no heuristic; there are LM, LRM, R, F, HS, MOMR [BS040]
// TECHNIQUE: error: backsweep: `eliminate=HS,LM,R`: `HS,LM,R` is nothing to eliminate by; there are vertices, edges, faces [BS040]
// GRAPHS: error: backsweep: `graphs=some`: expected contiguous or layered [BS040]
// ABREAST: error: backsweep: `abreast=often`: expected on, off or always [BS040]
// DISABLE: error: backsweep: `disable=everything`: what can be disabled is activity, liveness, tbr, write, mincut, restore, left, notape, preaccumulate, fuse, idle, strip, tables, chosen, walks, edges, short, joint, contract, guard, rows, abreast, invert, reevaluate and sums [BS040]
// PANIC: error: backsweep: internal error, please report it with this input: {{.*}} [BS099]
// PARAMETER: backsweep: unknown option `speed`; {{.*}} [BS040]

#include "backsweep.h"

double square(double x) { return x * x; }
double slope(double x) { return __backsweep_gradient((void *)square, x); }
