/* Words of which nobody tells what they are: those of the user, in whose shadow there are numbers from the beginning; words that are two
   singles at times; and memory that is kept where others find it. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t2.o %clang -g -O2 %include %pass -c %s > %t2.text
// RUN: FileCheck %s < %t2.text
#include "backsweep.h"
#include <stdlib.h>
#include <string.h>

typedef union word {
    double number;
    union word *link;
    float singles[2];
} word;

static __attribute__((noinline)) void copy_users(word *to, const word *from, int n)
{
    if (n <= 0)
        return;
    // CHECK: shared_words.reject.c:[[@LINE+1]]:{{.*}} copies active memory, and it cannot be told here which of its bytes are floats
    memcpy(to, from, sizeof *to);
    copy_users(to + 1, from + 1, n - 1);
}
static double of_users(const double *x)
{
    word a[4], b[4], t = {.number = x[1]}, u = {.link = &t};
    copy_users(a, (const word *)x, 4);
    copy_users(b, &u, 1);
    double s = 2 * b[0].link->number;
    copy_users(b, a, 4);
    for (int i = 0; i < 4; i++)
        s += b[i].number * b[i].number;
    return s;
}

static __attribute__((noinline)) void copy_singles(word *to, const word *from, int n)
{
    if (n <= 0)
        return;
    // CHECK: shared_words.reject.c:[[@LINE+1]]:{{.*}} copies active memory, and it cannot be told here which of its bytes are floats
    memcpy(to, from, sizeof *to);
    copy_singles(to + 1, from + 1, n - 1);
}
static double of_singles(const double *x)
{
    word a[4], b[4];
    for (int i = 0; i < 4; i++)
        a[i].number = x[i];
    a[1].singles[0] = x[0];
    a[1].singles[1] = x[1];
    a[2].link = &a[3];
    copy_singles(b, a, 4);
    return b[0].number * b[3].number + b[1].singles[0] * b[1].singles[1] + b[2].link->number;
}

static word *kept;
static __attribute__((noinline)) void copy_kept(word *to, const word *from, int n)
{
    if (n <= 0)
        return;
    // CHECK: shared_words.reject.c:[[@LINE+1]]:{{.*}} copies active memory, and it cannot be told here which of its bytes are floats
    memcpy(to, from, sizeof *to);
    copy_kept(to + 1, from + 1, n - 1);
}
static double of_kept(const double *x)
{
    word *a = malloc(4 * sizeof *a), *b = malloc(4 * sizeof *b);
    for (int i = 0; i < 4; i++)
        a[i].number = x[i] * x[i];
    a[2].link = &a[1];
    kept = a;
    copy_kept(b, kept, 4);
    double s = b[0].number * b[1].number + b[2].link->number * b[3].number;
    kept = NULL;
    free(a);
    free(b);
    return s;
}

void derive(const double *x, double *dx)
{
    __backsweep_gradient_void((void *)of_users, x, dx);
    __backsweep_gradient_void((void *)of_singles, x, dx);
    __backsweep_gradient_void((void *)of_kept, x, dx);
}
