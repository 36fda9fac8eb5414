/* A store may overwrite what was read in the same array, by numbers that only the caller knows: a distance, the length of a row. A test
 * on entry asks them, and leads to a version that records nothing; where they do not keep the two apart, what is needed is recorded. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: env BACKSWEEP_OPTIONS=disable=guard %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck --check-prefix=WITHOUT %s < %t.plan
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime && %t.O0
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime && %t.O3
#include <math.h>
#include <stdio.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define ORIGIN 100
#define CELLS 400

// WITHOUT: plan gradient
// WITHOUT-NOT: another version
// WITHOUT-NOT: relies on

// The store comes to what a later pass has yet to read where k is positive: that is no matter.
// CHECK-LABEL: plan gradient {{.*}}shift
// CHECK: goes to another version where (%2 > -1 or %1 + %2 < 1) and %2 != 0
// CHECK-LABEL: plan gradient {{.*}}shift
// CHECK-NOT: save on overwrite
// CHECK: relies on (%2 > -1 or %1 + %2 < 1) and %2 != 0
// CHECK-NEXT: %[[#]]: nothing stored at %[[#]] overwrites it if (%2 > -1 or %1 + %2 < 1) and %2 != 0
static void shift(double *a, int n, int k)
{
    for (int i = 0; i < n; i++)
        a[i + k] = a[i] * a[i];
}

// Numbers may lie behind pointers, where they are read before anything is written.
// CHECK-LABEL: plan gradient {{.*}}halves
// CHECK: goes to another version where
// CHECK-LABEL: plan gradient {{.*}}halves
// CHECK-NOT: save on overwrite
// CHECK: relies on ([[OFF:%[0-9]+]] > -1 or [[N:%[0-9]+]] + [[OFF]] < 1) and [[OFF]] != 0
static void halves(double *restrict a, const int *restrict length, const int *restrict distance)
{
    int n = *length, off = *distance;
    for (int i = 0; i < n; i++)
        a[off + i] = a[i] * a[i];
}

// Rows of ld numbers are apart where they hold m.
// CHECK-LABEL: plan gradient {{.*}}rows
// CHECK: goes to another version where %1 <= %3
// CHECK-LABEL: plan gradient {{.*}}rows
// CHECK-NOT: save on overwrite
// CHECK: relies on %1 <= %3
static void rows(double *a, int m, int n, int ld)
{
    for (int j = 1; j < n; j++)
        for (int i = 0; i < m; i++)
            a[j * ld + i] = a[(j - 1) * ld + i] * a[(j - 1) * ld + i];
}

// A recurrence has no such numbers; that the loop runs at most once is not worth a version.
// CHECK-LABEL: plan gradient {{.*}}recurrence
// CHECK-NOT: another version
static void recurrence(double *a, int n, int k)
{
    for (int i = 1; i < n; i++)
        a[i] = a[i - 1] * a[i - 1] + a[i] + k;
}

/* The adjoint of `*to = *from * *from` for each pair in turn, which keeps all that it overwrites. */
static int pairs, froms[CELLS], tos[CELLS];
static double was[CELLS];

static void square(double *a, int to, int from)
{
    froms[pairs] = from, tos[pairs] = to, was[pairs++] = a[to];
    a[to] = a[from] * a[from];
}

static void sweep_back(double *a, double *da)
{
    while (pairs-- > 0) {
        double told = da[tos[pairs]];
        da[tos[pairs]] = 0, a[tos[pairs]] = was[pairs];
        da[froms[pairs]] += 2 * a[froms[pairs]] * told;
    }
}

static double a[CELLS], da[CELLS], expected[CELLS];

/* The numbers, and in an array of its own what is asked of them. */
static void set_up(double *asked)
{
    for (int i = 0; i < CELLS; i++) {
        a[i] = 0.9 + 0.1 * sin(i);
        asked[i] = cos(3 * i);
    }
    pairs = 0;
}

static int compare(const char *name, int n, int k)
{
    int wrong = 0;
    for (int i = 0; i < CELLS; i++)
        wrong += fabs(da[i] - expected[i]) > 1e-12 * (1 + fabs(expected[i]));
    if (wrong > 0)
        printf("%s of %d and %d: %d wrong\n", name, n, k, wrong);
    return wrong;
}

static size_t pushed(void)
{
    struct bs_tape_stats found;
    bs_tape_stats(0, &found);
    return found.total;
}

int main(void)
{
    int wrong = 0;
    for (int n = 0; n < 12; n++)
        for (int k = -14; k < 15; k++) {
            set_up(da);
            size_t before = pushed();
            __backsweep_gradient_void((void *)shift, bs_dup_noneed, a + ORIGIN, da + ORIGIN, n, k);
            if ((k > 0 || k <= -n) && k != 0 && pushed() > before)
                wrong += printf("shift of %d and %d records\n", n, k);
            set_up(expected);
            for (int i = 0; i < n; i++)
                square(a, ORIGIN + i + k, ORIGIN + i);
            sweep_back(a, expected);
            wrong += compare("shift", n, k);
            set_up(da);
            __backsweep_gradient_void((void *)halves, bs_dup_noneed, a + ORIGIN, da + ORIGIN, bs_const, &n, bs_const, &k);
            wrong += compare("halves", n, k);
        }
    for (int m = 0; m < 5; m++)
        for (int ld = -6; ld < 8; ld++) {
            set_up(da);
            size_t before = pushed();
            __backsweep_gradient_void((void *)rows, bs_dup_noneed, a + ORIGIN, da + ORIGIN, m, 4, ld);
            if (ld >= m && pushed() > before)
                wrong += printf("rows of %d in %d record\n", m, ld);
            set_up(expected);
            for (int j = 1; j < 4; j++)
                for (int i = 0; i < m; i++)
                    square(a, ORIGIN + j * ld + i, ORIGIN + (j - 1) * ld + i);
            sweep_back(a, expected);
            wrong += compare("rows", m, ld);
        }
    set_up(da);
    __backsweep_gradient_void((void *)recurrence, bs_dup_noneed, a, da, 3, 1);
    return wrong != 0;
}
