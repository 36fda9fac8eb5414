/* Memory whose release is put off, in split mode: it stays with the tape, and is freed with it, consumed or not. Leaks and
 * double frees are the sanitizer's to find. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} -g -fsanitize=address -fno-omit-frame-pointer %include %pass %s -o %t %runtime && env ASAN_OPTIONS=detect_leaks=1 %t && env BACKSWEEP_TAPE_CHECK=1 %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define N 5

struct item {
    double value;
    struct item *next;
};

static struct item *build(const double *x, int n)
{
    if (n == 0)
        return NULL;
    struct item *item = malloc(sizeof *item);
    item->value = x[0] * x[0];
    item->next = build(x + 1, n - 1);
    return item;
}

static double sum_of(const struct item *item)
{
    return item ? sin(item->value) + 2 * sum_of(item->next) : 0;
}

static void drop(struct item *item)
{
    if (item) {
        drop(item->next);
        free(item);
    }
}

/* Made and freed by recursion. */
static double lists(double *x, int n)
{
    struct item *first = build(x, n), *second = build(x, n - 1);
    double sum = sum_of(first) * sum_of(second);
    drop(first);
    drop(second);
    return sum;
}

/* Made and freed by one function, in a loop, with slots that are made again. */
static double blocks(double *x, int n)
{
    double sum = 1;
    for (int i = 0; i < n; i++) {
        double *a = malloc((i + 1) * sizeof *a), b[i + 1];
        for (int k = 0; k <= i; k++) {
            a[k] = x[k] * sum;
            b[k] = a[k] * a[k];
        }
        for (int k = 0; k <= i; k++)
            sum += 0.3 * sin(b[k]) * a[k];
        free(a);
    }
    return sum;
}

/* By a function that calls itself, each with memory of its own. */
static double deep(const double *x, int n)
{
    if (n == 0)
        return 1;
    double *a = calloc(2, sizeof *a);
    a[1] = x[n - 1] * deep(x, n - 1);
    double y = sin(a[1]) + a[0];
    free(a);
    return y;
}
static double recursive(double *x, int n) { return deep(x, n) * x[0]; }

/* Of the caller's, which frees its shadow itself. */
static double taken(double *x, struct item *list)
{
    double sum = 0;
    while (list) {
        struct item *next = list->next;
        sum += list->value * list->value * *x;
        free(list);
        list = next;
    }
    return sum;
}

static int failures;

static void expect(const char *what, int i, double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-6 * (1 + fabs(wanted)))) {
        printf("%s %d: %.12g instead of %.12g\n", what, i, got, wanted);
        failures++;
    }
}

static void start(double *x)
{
    for (int k = 0; k < N; k++)
        x[k] = 0.6 + 0.3 * sin(1 + 1.7 * k);
}

/* Two tapes at once, consumed in the other order, beside one that is freed as it is. */
#define COMPARE(f)                                                                                    \
    do {                                                                                              \
        double x[N], d1[N] = {0}, d2[N] = {0}, lost[N] = {0};                                         \
        start(x);                                                                                     \
        void *one = __backsweep_augmented((void *)f, bs_dup, x, d1, bs_const, N);                     \
        void *early = __backsweep_augmented((void *)f, bs_dup, x, lost, bs_const, N);                 \
        void *two = __backsweep_augmented((void *)f, bs_dup, x, d2, bs_const, N);                     \
        __backsweep_reverse((void *)f, bs_dup, x, d2, bs_const, N, 1.0, two);                         \
        bs_rt_tape_free(early);                                                                       \
        __backsweep_reverse((void *)f, bs_dup, x, d1, bs_const, N, 1.0, one);                         \
        for (int i = 0; i < N; i++) {                                                                 \
            double ends[2];                                                                           \
            for (int side = 0; side < 2; side++) {                                                    \
                start(x);                                                                             \
                x[i] += side ? 1e-6 : -1e-6;                                                          \
                ends[side] = f(x, N);                                                                 \
            }                                                                                         \
            expect(#f, i, d1[i], (ends[1] - ends[0]) / 2e-6);                                         \
            expect(#f, i, d2[i], d1[i]);                                                              \
        }                                                                                             \
    } while (0)

static void taken_from_caller(int consumed)
{
    double x = 1.5, dx = 0;
    struct item *list = build(&x, 1), shadow = {0, NULL};
    double value = list->value;
    void *tape = __backsweep_augmented((void *)taken, &x, &dx, list, &shadow);
    if (!consumed) {
        bs_rt_tape_free(tape);
        return;
    }
    __backsweep_reverse((void *)taken, &x, &dx, list, &shadow, 1.0, tape);
    expect("taken", 0, dx, value * value);
    expect("taken", 1, shadow.value, 2 * value * x);
}

int main(void)
{
    COMPARE(lists);
    COMPARE(blocks);
    COMPARE(recursive);
    taken_from_caller(1);
    taken_from_caller(0);
    return failures != 0;
}
