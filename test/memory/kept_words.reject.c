/* Words of a union that are turned by one name, where the memory is found behind a pointer in a global: who put a number there is another
   function. A number that is moved as a pointer lost its derivative. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t2.o %clang -g -O2 %include %pass -c %s > %t2.text
// RUN: FileCheck %s < %t2.text
#include "backsweep.h"

union word { double number; double *link; };
struct ring { union word words[4]; int n; };

static struct ring *kept;

static __attribute__((noinline)) void turn(int k)
{
    struct ring *ring = kept;
    if (k == 0)
        return;
    double *first = ring->words[0].link;
    // CHECK: kept_words.reject.c:[[@LINE+1]]:{{.*}} moves a float, or a pointer to active memory
    ring->words[0].link = ring->words[1].link;
    // CHECK: kept_words.reject.c:[[@LINE+1]]:{{.*}} moves a float, or a pointer to active memory
    ring->words[1].link = ring->words[2].link;
    ring->words[2].link = ring->words[3].link;
    ring->words[3].link = first;
    turn(k - 1);
}

static double f(const double *x, int n)
{
    double numbers[2] = {x[0] * x[1], x[2] * x[2]};
    struct ring ring = {.n = n};
    ring.words[0].number = x[0] * x[0];
    ring.words[1].link = numbers;
    ring.words[2].number = x[1];
    ring.words[3].link = numbers + 1;
    kept = &ring;
    turn(n);
    if (n % 2)
        return ring.words[1].number * *ring.words[0].link + ring.words[3].number * *ring.words[2].link;
    return ring.words[0].number * *ring.words[1].link + ring.words[2].number * *ring.words[3].link;
}

void gradient(const double *x, double *dx, int n) { __backsweep_gradient_void((void *)f, x, dx, n); }
