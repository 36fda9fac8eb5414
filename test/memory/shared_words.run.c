/* Words that are a number, a link or a count, in memory that several functions make for each other: who copies them is called with any, and
   calls itself. Lists that are joined and cut, a ring that turns, words that are one thing first and another later, one that is
   asked to run twice, and two levels of links. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime -lm && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// REDEFINE: %{level} = -O3 -ffast-math
// RUN: %{check}
// RUN: %clang -O2 -fsanitize=address,undefined -fno-sanitize-recover=all %include %pass %s -o %t %runtime -lm && %t
#include "backsweep.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef union word {
    double number;
    union word *link;
    long count;
} word;

typedef struct {
    long tag;
    word word;
} tagged;

static __attribute__((noinline)) void copy(tagged *to, const tagged *from, int n)
{
    if (n <= 0)
        return;
    memcpy(to, from, sizeof *to);
    copy(to + 1, from + 1, n - 1);
}

static __attribute__((noinline)) double sum(const tagged *a, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++)
        s += a[i].tag ? a[i].word.link->number * (i + 2) : a[i].word.number * a[i].word.number;
    return n > 3 ? s + 0.5 * sum(a, n - 1) : s;
}

/* Where a number was is a link later, and the other way round. */
static double by_turns(const double *x)
{
    tagged a[4], b[4], c[4];
    word heap[4];
    for (int i = 0; i < 4; i++) {
        heap[i].number = sin(x[i]);
        a[i].tag = i % 2;
        if (i % 2)
            a[i].word.link = &heap[i];
        else
            a[i].word.number = x[i] * x[i];
    }
    copy(b, a, 4);
    double s = sum(b, 4);
    for (int i = 0; i < 4; i++) {
        b[i].tag = i % 2 == 0;
        if (i % 2 == 0)
            b[i].word.link = &heap[3 - i];
        else
            b[i].word.number = x[i] * s;
    }
    copy(c, b, 4);
    copy(a, c, 4);
    heap[1].number *= heap[0].number;
    return 0.01 * (s + sum(a, 4) * sum(c, 4));
}

static __attribute__((noinline)) word *cons(word value, word *next)
{
    word *cell = malloc(2 * sizeof *cell);
    cell[0] = value;
    cell[1].link = next;
    return cell;
}
static __attribute__((noinline)) word *append(word *a, word *b)
{
    return a ? cons(a[0], append(a[1].link, b)) : b;
}
static __attribute__((noinline)) void swap(word *a, word *b)
{
    word t;
    memcpy(&t, a, sizeof t);
    memcpy(a, b, sizeof t);
    memcpy(b, &t, sizeof t);
}
static double dot(const word *a, const word *b)
{
    return a && b ? a[0].number * b[0].number + dot(a[1].link, b[1].link) : 0;
}
static void drop(word *a, int n)
{
    if (n > 0)
        drop(a[1].link, n - 1);
    if (n > 0)
        free(a);
}

/* A number for a link, and back; numbers for numbers, and tails for tails. */
static double joined_lists(const double *x)
{
    word *a = NULL, *b = NULL;
    for (int i = 0; i < 4; i++) {
        word value = {.number = x[i] * x[(i + 1) % 4]};
        a = cons(value, a);
        value.number = exp(x[i]);
        b = cons(value, b);
    }
    word *c = append(a, b), *d = append(b, a);
    swap(&a[0], &b[1]);
    swap(&a[0], &b[1]);
    swap(&c[0], &d[0]);
    swap(&c[1], &d[1]);
    double s = dot(c, d) + dot(a, b);
    swap(&c[1], &d[1]);
    drop(c, 4);
    drop(d, 4);
    drop(a, 4);
    drop(b, 4);
    return 0.1 * s;
}

__attribute__((annotate("backsweep_joint"), noinline)) static void move(word *to, const word *from, int n, double *y)
{
    memcpy(to, from, sizeof *to);
    memcpy(to + 1, from + 1, sizeof *to);
    for (int i = 0; i < n; i++)
        *y = sin(*y);
}
/* Who copies words that may be links cannot run again when the numbers are swept back. */
static double asked_to_run_twice(const double *x)
{
    word a[2], b[2], t;
    double y = x[2];
    a[0].number = x[0] * x[1];
    t.number = x[3];
    a[1].link = &t;
    move(b, a, 3, &y);
    b[1].link->number *= b[0].number * y;
    move(a, b, 2, &y);
    return a[1].link->number * a[0].number + y;
}

static __attribute__((noinline)) word *doubled(const word *a, int n)
{
    word *b = malloc(n * sizeof *b);
    memcpy(b, a, n * sizeof *b);
    if (n > 1)
        b[n - 1].number *= 2;
    return b;
}
static __attribute__((noinline)) double walk(const word *a, int depth)
{
    return depth ? walk(a[0].link, depth - 1) : a[1].number;
}
static double two_levels(const double *x)
{
    word leaf[2], middle[2], top[2];
    leaf[0].number = x[0];
    leaf[1].number = x[1] * x[0];
    middle[0].link = leaf;
    middle[1].number = x[2];
    top[0].link = middle;
    top[1].number = x[3];
    word *c = doubled(top, 2), *d = doubled(middle, 2);
    top[0].link = d;
    middle[0].link = c;
    double s = walk(c, 0) * walk(c, 1) * walk(top, 1) + walk(top, 2) + walk(d, 1);
    free(c);
    free(d);
    return s;
}

static int wrong;

static void check(const char *name, double (*f)(const double *), const double *gradient, const double *tangents)
{
    for (int i = 0; i < 4; i++) {
        double x[4] = {0.9, 1.1, 0.7, 1.3}, h = 1e-6;
        x[i] += h;
        double up = f(x);
        x[i] -= 2 * h;
        double difference = (up - f(x)) / (2 * h);
        if (!(fabs(gradient[i] - difference) < 1e-7 * (1 + fabs(difference)))
            || !(fabs(gradient[i] - tangents[i]) < 1e-10 * (1 + fabs(difference)))) {
            printf("%s %d: %.12g backward, %.12g forward, %.12g by differences\n", name, i, gradient[i], tangents[i], difference);
            wrong = 1;
        }
    }
}

#define TRY(f)                                                                                                         \
    do {                                                                                                               \
        double x[4] = {0.9, 1.1, 0.7, 1.3}, gradient[4] = {0}, tangents[4];                                            \
        __backsweep_gradient_void((void *)f, x, gradient);                                                             \
        for (int i = 0; i < 4; i++) {                                                                                  \
            double dx[4] = {i == 0, i == 1, i == 2, i == 3};                                                           \
            tangents[i] = __backsweep_tangent((void *)f, x, dx);                                                       \
        }                                                                                                              \
        check(#f, f, gradient, tangents);                                                                              \
    } while (0)

int main(void)
{
    TRY(by_turns);
    TRY(joined_lists);
    TRY(asked_to_run_twice);
    TRY(two_levels);
    return wrong;
}
