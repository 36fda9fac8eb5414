/* Lanes that are loaded and stored under a mask, gathered, scattered and packed; also where the machine has instructions for it. */
// RUN: %levels %s double 0.83 1.31 -0.47 2.13 0.6 1.7 0.2
// RUN: %clang -O1 -c %root/test/sources/Inputs/check.c -o %t.check.o
// RUN: %clang -O0 -S -emit-llvm -mavx512f -mavx512vl %include -I%root/test/sources/Inputs %pass %s -o %t.ll
// RUN: %clang -O2 -S -emit-llvm -mavx512f -mavx512vl %include -I%root/test/sources/Inputs %pass %s -o %t.ll
#include "source.h"

typedef double four __attribute__((ext_vector_type(4)));
typedef long numbers __attribute__((ext_vector_type(4)));
typedef _Bool mask __attribute__((ext_vector_type(4)));

static double f(const double *x, int n)
{
    numbers lanes = {0, 1, 2, 3}, backwards = {3, 2, 1, 0};
    four squares = 0;
    for (int i = 0; i < n; i += 4) {
        mask inside = __builtin_convertvector(lanes + i < (long)n, mask);
        four v = __builtin_masked_load(inside, x + i, (four)(1.5));
        squares += v * v;
    }
    mask large = __builtin_convertvector(squares > (four)(3.0), mask);
    double scattered[4] = {1, 2, 3, 4}, stored[4] = {1, 1, 1, 1}, packed[4] = {1, 2, 3, 4};
    four gathered = __builtin_masked_gather(large, backwards, x, (four)(2.0));
    __builtin_masked_scatter(large, backwards, gathered * squares, scattered);
    __builtin_masked_store(large, squares + gathered, stored);
    __builtin_masked_compress_store(large, gathered * gathered, packed);
    four expanded = __builtin_masked_expand_load(large, x, squares);
    double sum = 0;
    for (int i = 0; i < 4; i++)
        sum += scattered[i] * stored[3 - i] + packed[i] * expanded[i];
    return sum;
}

REQUESTS(f)
