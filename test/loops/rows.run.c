/* Random time loops that read neighbours, in one place and on each other, with buffers that change places: gradients against forward mode. */
// RUN: python3 %S/Inputs/rows.py 1 30 > %t.c
// RUN: %clang -O0 -w -I%S/Inputs %pass %include %t.c -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 -w -I%S/Inputs %pass %include %t.c -o %t.O2 -lm %runtime && %t.O2
// RUN: python3 %S/Inputs/rows.py 2 30 > %t.c
// RUN: %clang -O1 -fsanitize=address -w -I%S/Inputs %pass %include %t.c -o %t.asan -lm %runtime && %t.asan
// RUN: %clang -O3 -march=x86-64-v3 -w -I%S/Inputs %pass %include %t.c -o %t.v3 -lm %runtime && %t.v3
// RUN: %clang -O1 -Xclang -disable-llvm-passes -w -I%S/Inputs %include %t.c -S -emit-llvm -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck %s

// Some of them have rows:
// CHECK: lies in a row from
// CHECK: lies in a row from
