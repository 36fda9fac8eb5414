// Copies through pointers of which no type tells what they lead to: that elsewhere, or for other kinds, they are used with a
// type does not say what is copied here. Declared integers would have no derivative.
// RUN: %refused %t.o %clangxx -g -O0 -fno-strict-aliasing %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clangxx -g -O2 -fno-strict-aliasing %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
#include <string.h>

#include "backsweep.h"

struct Counts {
    long first, second, third;
};

struct Measured {
    double x, y;
    long id;
};

namespace {

/* Only one kind is ever seen by its type. */
// CHECK-DAG: untyped_copies.reject.cpp:[[@LINE+5]]:{{.*}}copies active memory, and it cannot be told
void one(void *to, const void *from, int counted) {
    if (counted)
        ((Counts *)to)->second = ((const Counts *)from)->second;
    else
        memcpy(to, from, sizeof(Measured));
}

/* As many as are known only when it runs. */
// CHECK-DAG: untyped_copies.reject.cpp:[[@LINE+5]]:{{.*}}copies active memory, and it cannot be told
double many(void **to, void **from, long n, int counted) {
    if (counted)
        for (long i = 0; i < n; i++) static_cast<Counts *>(*to)[i] = static_cast<Counts *>(*from)[i];
    else
        memcpy(*to, *from, n * sizeof(Measured));
    return 0;
}

/* Where two pointers meet, the type of one is not that of the other. */
// CHECK-DAG: untyped_copies.reject.cpp:[[@LINE+3]]:{{.*}}copies active memory, and it cannot be told
void either(void *to, Counts *counts, const void *other, int counted) {
    const void *from = counted ? counts + 1 : other;
    memcpy(to, from, sizeof(Measured));
}

/* A type that is not a pointer's own, in the other arm. */
// CHECK-DAG: untyped_copies.reject.cpp:[[@LINE+5]]:{{.*}}copies active memory, and it cannot be told
void other_arm(double *to, double *from, long n, int counted) {
    if (counted)
        for (long i = 0; i < n; i++) reinterpret_cast<Counts *>(from)[i].second++;
    else
        memcpy(to, from, n * sizeof(Measured));
}

/* The bits of floats in integers, and back. */
// CHECK-DAG: untyped_copies.reject.cpp:{{[0-9]+}}:{{.*}}writes bytes of active memory as an integer
void rotate(void **row, int i) {
    Counts taken;
    memcpy(&taken, row[i], sizeof taken);
    Counts turned = {taken.second, taken.third, taken.first};
    memcpy(row[i + 1], &turned, sizeof turned);
}

} // namespace

void gradients(void *to, void *dto, void *from, void *dfrom, Counts *c, Counts *dc, long n, int k) {
    __backsweep_gradient_void((void *)one, to, dto, from, dfrom, k);
    __backsweep_gradient_void((void *)many, (void **)to, (void **)dto, (void **)from, (void **)dfrom, n, k);
    __backsweep_gradient_void((void *)either, to, dto, c, dc, from, dfrom, k);
    __backsweep_gradient_void((void *)other_arm, (double *)to, (double *)dto, (double *)from, (double *)dfrom, n, k);
    __backsweep_gradient_void((void *)rotate, (void **)to, (void **)dto, k);
}
