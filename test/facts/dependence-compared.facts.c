/* The dependence test beside LLVM's own on the same loops, with enumeration as the judge: never wrong, never less precise. */
// RUN: python3 %root/pass/nestcheck/da/compare.py %plugin %opt_plain %clang > %t
// RUN: FileCheck %s < %t
// CHECK: {{^}}{{1[5-9][0-9]|[2-9][0-9][0-9]}} loops, {{.*}} 0 less precise, da wrong {{[0-9]+}} times, we 0 times
