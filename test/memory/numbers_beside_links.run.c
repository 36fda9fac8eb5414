/* Integers in a list of structs, found by stepping back from the links in them, in a module that also moves doubles as words of any kind: no
   declaration is believed there, so that the double beside each, and the link, may seem to lie where the integer is read. That takes the
   lower half of a double at most, which is no number of its own, and an address has no derivative. Each is optimised before it is
   differentiated. */
// RUN: %clang -O1 %include -S -emit-llvm %s -o %t.ll && %opt -passes='default<O2>' %t.ll -o %t.bc && %clang %t.bc -o %t %runtime && %t
// RUN: %clang -O2 %include -S -emit-llvm %s -o %t.ll && %opt -passes='default<O2>' %t.ll -o %t.bc && %clang %t.bc -o %t %runtime && %t
// RUN: %clang -O0 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O2 %include %pass %s -o %t %runtime && %t
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

enum { N = 5 };

struct link {
    struct link *next;
};

struct item {
    int id;
    double weight;
    struct link link;
};

static struct item *item_of(struct link *link)
{
    return (struct item *)((char *)link - offsetof(struct item, link));
}

static void swap(void *a, void *b, size_t bytes)
{
    char kept[64];
    memcpy(kept, a, bytes);
    memcpy(a, b, bytes);
    memcpy(b, kept, bytes);
}

/* Which of two words is swapped is asked, so that what is moved goes through a choice. */
static double linked(const double *x, int n)
{
    double *squares = malloc(n * sizeof *squares);
    for (int i = 0; i < n; i++)
        squares[i] = x[i] * x[i];
    if (n > 1)
        swap(&squares[0], &squares[n > 3 ? 1 : 2], sizeof *squares);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += (i + 1) * squares[i];
    free(squares);
    struct link *head = NULL;
    struct item *items = malloc(n * sizeof *items);
    for (int i = 0; i < n; i++) {
        items[i].id = i;
        items[i].weight = x[i] * sum;
        items[i].link.next = head;
        head = &items[i].link;
    }
    for (struct link *at = head; at; at = at->next)
        sum += item_of(at)->weight * item_of(at)->id;
    free(items);
    return sum;
}

int main(void)
{
    int bad = 0;
    double x[N], dx[N] = {0};
    for (int i = 0; i < N; i++)
        x[i] = 0.3 + 0.2 * (i * 3 % N);
    __backsweep_gradient_void((void *)linked, bs_dup, x, dx, N);
    for (int i = 0; i < N; i++) {
        double kept = x[i], step = 1e-5;
        x[i] = kept + step;
        double above = linked(x, N);
        x[i] = kept - step;
        double below = linked(x, N);
        x[i] = kept;
        double want = (above - below) / (2 * step);
        if (!(fabs(dx[i] - want) <= 1e-7 * fmax(1, fabs(want)))) {
            printf("%d: %.12g, not %.12g\n", i, dx[i], want);
            bad = 1;
        }
    }
    return bad;
}
