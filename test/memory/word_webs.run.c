/* Words that are a number or a link and pass through registers, joined there by branches and around loops: records that are put in
   order by their keys, a row of words that turns, two that change places at every pass, one of several that is put away, and numbers
   and addresses that are put in as integers. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime -lm && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O1
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// REDEFINE: %{level} = -O3 -ffast-math
// RUN: %{check}
// RUN: %clang -O2 -fsanitize=address,undefined -fno-sanitize-recover=all %include %pass %s -o %t %runtime -lm && %t
#include "backsweep.h"
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef union word {
    double number;
    union word *link;
} word;

typedef struct {
    long key;
    word word;
} record;

/* What is sorted is kept for by recursion, so that nobody sees all that it is made from. */
static __attribute__((noinline)) void put_in_order(record *a, int n)
{
    if (n < 2)
        return;
    put_in_order(a, n - 1);
    record last = a[n - 1];
    int i = n - 1;
    for (; i > 0 && a[i - 1].key > last.key; i--)
        a[i] = a[i - 1];
    a[i] = last;
}
static __attribute__((noinline)) double total(const record *a, int n)
{
    if (!n)
        return 0;
    double here = a[n - 1].key % 2 ? a[n - 1].word.link->number : a[n - 1].word.number;
    return here * here * n + total(a, n - 1);
}
static double in_order(const double *x)
{
    record a[6];
    word apart[6];
    for (int i = 0; i < 6; i++) {
        apart[i].number = x[i % 4] * x[(i + 1) % 4];
        a[i].key = i * 7 % 6;
        if (a[i].key % 2)
            a[i].word.link = &apart[i];
        else
            a[i].word.number = exp(x[i % 4]);
    }
    put_in_order(a, 6);
    apart[1].number *= x[2];
    return total(a, 6);
}

/* The word that is carried around the loop is in a register from one pass to the next. */
static __attribute__((noinline)) void turn(word *a, char *linked, int n, int times)
{
    if (!times)
        return;
    word carried = a[n - 1];
    char is = linked[n - 1];
    for (int i = 0; i < n; i++) {
        word next = a[i];
        char other = linked[i];
        a[i] = carried;
        linked[i] = is;
        carried = next;
        is = other;
    }
    turn(a, linked, n, times - 1);
}
static double turned(const double *x)
{
    word a[5], apart[2];
    char linked[5] = {0, 1, 0, 1, 0};
    a[0].number = sin(x[0]);
    a[1].link = &apart[0];
    a[2].number = x[1] * x[3];
    a[3].link = &apart[1];
    a[4].number = x[2];
    apart[0].number = x[1];
    apart[1].number = x[2] * x[0];
    turn(a, linked, 5, 3);
    double s = 0;
    for (int i = 0; i < 5; i++)
        s += (i + 1) * (linked[i] ? 3 * a[i].link->number * a[i].link->number : exp(a[i].number));
    return s;
}

/* Both are exchanged at every pass, so that neither may be written before the other is read. */
static __attribute__((noinline)) void exchange(word *to, const word *from, int n)
{
    word one = from[0], other = from[1];
    for (int i = 0; i < n; i++) {
        word kept = one;
        one = other;
        other = kept;
        if (i == 2)
            other = from[2];
    }
    to[0] = one;
    to[1] = other;
    if (n > 5)
        exchange(to + 2, from, n - 1);
}
static double exchanged(const double *x)
{
    word from[3], to[6], apart;
    apart.number = x[3] * x[3];
    from[0].number = x[0] * x[1];
    from[1].link = &apart;
    from[2].number = sin(x[2]);
    exchange(to, from, 7);
    /* 7: link, x2; 6: x2 first; 5: the link again. */
    double s = 0;
    for (int i = 0; i < 6; i++) {
        int is_link = to[i].link == &apart;
        s += (i + 1.5) * (is_link ? to[i].link->number : to[i].number * to[i].number);
    }
    return s;
}

/* One of several words, by a choice that only branches tell. */
static __attribute__((noinline)) void put_away(word *to, const word *a, int n)
{
    if (n == 0)
        return;
    word chosen;
    switch (n % 3) {
    case 0: chosen = a[0]; break;
    case 1: chosen = a[n]; break;
    default: chosen = to[n + 1]; break;
    }
    to[n] = chosen;
    put_away(to, a, n - 1);
}
static double one_of_several(const double *x)
{
    word a[6], to[8], apart[2];
    apart[0].number = x[0] * x[2];
    apart[1].number = x[1];
    for (int i = 0; i < 6; i++)
        if (i % 2)
            a[i].link = &apart[i / 4];
        else
            a[i].number = x[i % 4] * (i + 1);
    to[6].number = x[3];
    put_away(to, a, 5);
    /* to[5] is x3, to[4] a[4], to[3] a[0], to[2] a[0] again, to[1] a[1], a link. */
    double s = to[1].link->number;
    for (int i = 2; i < 6; i++)
        s += i * to[i].number * to[i].number;
    return s * apart[1].number;
}

/* The bits of a number, or an address, put into memory as an integer. */
static __attribute__((noinline)) void put_in(int64_t *to, const double *x, double *apart, int n)
{
    if (!n)
        return;
    int64_t bits;
    if (n % 2) {
        double number = x[n] * x[n - 1];
        memcpy(&bits, &number, 8);
    } else
        bits = (int64_t)(intptr_t)(apart + n);
    to[n] = bits;
    put_in(to, x, apart, n - 1);
}
static __attribute__((noinline)) double take_out(const int64_t *from, int n)
{
    if (!n)
        return 1;
    double number, *place;
    if (n % 2)
        memcpy(&number, from + n, 8);
    else {
        memcpy(&place, from + n, 8);
        number = *place;
    }
    return number * take_out(from, n - 1) + number;
}
static double as_integers(const double *x)
{
    double apart[4] = {x[0], x[1], x[2] * x[3], x[3]};
    int64_t a[4];
    put_in(a, x, apart, 3);
    return take_out(a, 3);
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
            double direction[4] = {0};                                                                                 \
            direction[i] = 1;                                                                                          \
            tangents[i] = __backsweep_tangent((void *)f, x, direction);                                                \
        }                                                                                                              \
        check(#f, f, gradient, tangents);                                                                              \
    } while (0)

int main(void)
{
    TRY(in_order);
    TRY(turned);
    TRY(exchanged);
    TRY(one_of_several);
    TRY(as_integers);
    return wrong;
}
