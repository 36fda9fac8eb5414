/* Random time loops as reverse sweeps have them, with everything that may look into a row between two steps: zeros that are owed
 * are there whoever looks, and rows that are put back may be copied before their loop runs. What is compared is the plugin's pass
 * over finished derivatives alone, with the loop as it was. */
// RUN: python3 %S/Inputs/owed.py 3 40 > %t.c
// RUN: %clang -O1 -ffp-contract=off -DTAKEN -S -emit-llvm %t.c -o %t.ll
// RUN: sed -E 's/^(  store double %%.*)$/\1, !backsweep.sum !{}/' %t.ll > %t.marked.ll
// RUN: %clang -O2 -fno-vectorize -fno-discard-value-names %pass -w -S -emit-llvm %t.marked.ll -o %t.seen.ll
// RUN: FileCheck --check-prefix=OWED %s < %t.seen.ll
// RUN: FileCheck --check-prefix=COPIED %s < %t.seen.ll
// RUN: %clang -O2 %pass -w -c %t.marked.ll -o %t.o
// RUN: %clang -O1 -ffp-contract=off -w %t.c %t.o -o %t -lm && %t
// RUN: python3 %S/Inputs/owed.py 1 40 > %t.c
// RUN: %clang -O1 -ffp-contract=off -DTAKEN -S -emit-llvm %t.c -o %t.ll
// RUN: sed -E 's/^(  store double %%.*)$/\1, !backsweep.sum !{}/' %t.ll > %t.marked.ll
// RUN: %clang -O3 -march=x86-64-v3 -ffp-contract=off %pass -w -c %t.marked.ll -o %t.o
// RUN: %clang -O1 -ffp-contract=off -w %t.c %t.o -o %t -lm && %t

// Many of them have a version that owes its zeros, and some copy a row:
// OWED-COUNT-6: .owed: {{.*}}preds
// COPIED-COUNT-2: call void @llvm.memcpy
