/* The address of active memory that is kept as an integer and read as one: where nothing else is done with it, it is a pointer. */
// RUN: %clang -O0 -g %include %pass %s -o %t %runtime && %t
// RUN: %clang -O1 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O3 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O1 -fsanitize=address %include %pass %s -o %t %runtime && %t
// RUN: %clang -O2 %include -S -emit-llvm %s -o %t.ll && %opt -passes=backsweep %t.ll -o %t.bc && %clang %t.bc -o %t %runtime && %t
#include <math.h>
#include <stdint.h>
#include <string.h>

#include "backsweep.h"

struct link {
    double weight;
    uintptr_t where;
};

static double behind(struct link *at, int n) { return n > 0 ? behind(at, n - 1) * 1.5 : *(double *)at->where; }

static double in_member(double x, int n)
{
    double cell = x * x;
    struct link at = {1, (uintptr_t)&cell};
    return behind(&at, n);
}

uintptr_t kept;

static double behind_kept(int n) { return n > 0 ? behind_kept(n - 1) * 1.5 : *(double *)kept; }

static double in_global(double x, int n)
{
    double cell = x * x;
    kept = (uintptr_t)&cell;
    return behind_kept(n);
}

static double overwritten(double x, int n)
{
    double cell = x * x, *at = &cell;
    memcpy(&kept, &at, sizeof kept);
    *(double *)kept = n;
    return cell * x;
}

/* Two ends that are subtracted, and moved on by a function that stays a call. */
struct range { uintptr_t first, last; };

static double sum(struct range *r, int n)
{
    double s = 0;
    for (double *at = (double *)r->first; at != (double *)r->last; at++) s += *at * *at;
    if ((r->last - r->first) / sizeof(double) <= (size_t)n) return s;
    struct range inner = {r->first, (uintptr_t)((double *)r->last - 1)};
    return s + 2 * sum(&inner, n);
}

static double summed(double x, int n)
{
    double a[6];
    for (int i = 0; i < 6; i++) a[i] = x * (i + 1) + i;
    struct range all = {(uintptr_t)a, (uintptr_t)(a + 6)};
    return sum(&all, n);
}

static int differ(double (*f)(double, int), double found, int n)
{
    double expected = (f(1.3 + 1e-5, n) - f(1.3 - 1e-5, n)) / 2e-5;
    return !(fabs(found - expected) <= 1e-7 * (1 + fabs(expected)));
}
#define WRONG(f)                                                                                                                \
    (differ(f, __backsweep_gradient((void *)f, 1.3, 3), 3) || differ(f, __backsweep_tangent((void *)f, 1.3, 1.0, 3), 3))

int main(void)
{
    if (WRONG(in_member)) return 1;
    if (WRONG(in_global)) return 2;
    if (WRONG(overwritten)) return 3;
    return WRONG(summed) ? 4 : 0;
}
