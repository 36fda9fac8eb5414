/* Copies of structs of which not every member is touched under the name that is copied: the others may be anything, whoever
 * touches them under another name. None of these is taken for an array of doubles. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clang -g -O2 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

struct mixed {
    double key;
    float u, v;
};

/* Bytes, of which no type tells what they are. */
static void move(void *to, const void *from, int i)
{
    memcpy((char *)to + 16 * i, (const char *)from + 16 * i, 16);
}

/* The floats are touched through pointers found once more. */
// CHECK: untouched_members.reject.c:{{[0-9]+}}:{{.*}}copies active memory, and it cannot be told
static double rows(struct mixed **row, int n, int k)
{
    struct mixed *from = row[k], *to = row[1 - k];
    double sum = 0;
    for (int i = 0; i < n; i++) {
        move(to, from, i);
        to[i].key *= 2;
    }
    for (int i = 0; i < n; i++)
        sum += row[0][i].key * row[0][i].u * row[1][i].v;
    return sum;
}

/* As many as are known only when it runs, through a pointer of which no type tells what is there. */
// CHECK: untouched_members.reject.c:{{[0-9]+}}:{{.*}}copies active memory, and it cannot be told
static double many(struct mixed **row, int n)
{
    struct mixed *to = row[0];
    void *from = row[1];
    double sum = 0;
    memcpy(to, from, (size_t)n * sizeof *to);
    for (int i = 0; i < n; i++)
        to[i].key *= 2;
    for (int i = 0; i < n; i++)
        sum += row[0][i].u * row[1][i].v * row[0][i].key;
    return sum;
}

/* The user's shadows hold integers of their own, which are not to be added up. */
struct named {
    double value;
    long id;
};

static double named(struct named *s)
{
    move(s + 1, s, 0);
    return s[1].value * s[0].value;
}

void gradients(struct mixed **row, struct mixed **drow, struct named *s, struct named *ds, int n)
{
    __backsweep_gradient_void((void *)rows, row, drow, n, 0);
    __backsweep_gradient_void((void *)many, row, drow, n);
    __backsweep_gradient_void((void *)named, s, ds);
}
