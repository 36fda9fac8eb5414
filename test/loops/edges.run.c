/* Loops whose first and last passes are unlike the others: those leave the loop, and in the middle a neighbour is a step away. */
// RUN: %clang -O3 -march=x86-64-v3 %include %pass -S -emit-llvm %s -o %t.ll
// RUN: FileCheck %s < %t.ll
// RUN: env BACKSWEEP_OPTIONS=disable=edges %clang -O3 -march=x86-64-v3 %include %pass -S -emit-llvm %s -o %t.without.ll
// RUN: FileCheck --check-prefix=WITHOUT %s < %t.without.ll
// RUN: python3 %S/Inputs/edges.py 1 12 > %t.c
// RUN: %clang -O1 %pass %include -w %t.c -o %t %runtime -lm && %t
// RUN: python3 %S/Inputs/edges.py 2 12 > %t.c
// RUN: %clang -O3 %pass %include -w %t.c -o %t %runtime -lm && %t
#include "backsweep.h"

#define LENGTH 500

// CHECK-LABEL: define {{.*}} @gradient(
// What three neighbours are told, four passes at a time.
// CHECK: fadd nsz contract <4 x double>
// CHECK-LABEL: define {{.*}} @other(
// WITHOUT-LABEL: define {{.*}} @gradient(
// WITHOUT-NOT: <4 x double>
// WITHOUT-LABEL: define {{.*}} @other(
static double ring(const double *restrict u)
{
    double sum = 0;
    for (int i = 0; i < LENGTH; i++) {
        const double before = u[(i + LENGTH - 1) % LENGTH], behind = u[(i + 1) % LENGTH];
        sum += (behind - u[i]) * before * before;
    }
    return sum;
}

void gradient(const double *u, double *du)
{
    __backsweep_gradient_void((void *)ring, u, du);
}

void other(void)
{
}
