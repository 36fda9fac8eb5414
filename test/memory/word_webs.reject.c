/* Words that pass through registers as numbers, though others keep links there: in memory of the user's, and in memory that is kept where
   others find it. Who moves them goes through a row by a number, and who follows the links names their places. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t2.o %clang -g -O2 %include %pass -c %s > %t2.text
// RUN: FileCheck %s < %t2.text
#include "backsweep.h"
#include <stdlib.h>

typedef union word {
    double number;
    union word *link;
} word;

static __attribute__((noinline)) void turn_users(word *a, int n, int times)
{
    if (!times)
        return;
    word carried = a[n - 1];
    for (int i = 0; i < n; i++) {
        word next = a[i];
        // CHECK: word_webs.reject.c:[[@LINE+1]]:{{.*}} moves a float, or a pointer to active memory
        a[i] = carried;
        carried = next;
    }
    turn_users(a, n, times - 1);
}
static double of_users(word *a)
{
    turn_users(a, 4, 2);
    return a[0].number * a[1].link->number + 2 * a[2].number * a[3].link->number;
}

static __attribute__((noinline)) void turn_kept(word *a, int n, int times)
{
    if (!times)
        return;
    word carried = a[n - 1];
    for (int i = 0; i < n; i++) {
        word next = a[i];
        // CHECK: word_webs.reject.c:[[@LINE+1]]:{{.*}} moves a float, or a pointer to active memory
        a[i] = carried;
        carried = next;
    }
    turn_kept(a, n, times - 1);
}
word *kept;
static double of_kept(const double *x)
{
    word *a = malloc(4 * sizeof *a), others[2];
    kept = a;
    others[0].number = x[0] * x[0];
    others[1].number = x[1];
    a[0].number = x[2];
    a[1].link = &others[0];
    a[2].number = x[3];
    a[3].link = &others[1];
    turn_kept(a, 4, 2);
    double s = a[0].number * a[1].link->number + 2 * a[2].number * a[3].link->number;
    free(a);
    return s;
}

void derive(word *a, word *da, const double *x, double *dx)
{
    __backsweep_gradient_void((void *)of_users, a, da);
    __backsweep_gradient_void((void *)of_kept, x, dx);
}
