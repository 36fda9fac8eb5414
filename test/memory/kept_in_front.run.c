/* Memory that is aligned by hand keeps the address of its allocation in the word in front: the word lies among numbers whose places
 * nobody can tell from its own, and is no pointer to other memory. */
// RUN: %clang -O0 -g %include %pass %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 -g %include %pass %s -o %t.O2 -lm %runtime && %t.O2
// RUN: %clang -O3 -march=x86-64-v3 %include %pass %s -o %t.O3 -lm %runtime && %t.O3
// RUN: %clang -O2 %include -Xclang -disable-llvm-passes -S -emit-llvm %s -o - | %opt -O2 -S -o - | %opt -passes=backsweep -S -o %t.ll && %clang %t.ll -o %t.late -lm %runtime && %t.late
// RUN: %clang -O1 -g -fsanitize=address %include %pass %s -o %t.asan -lm %runtime && %t.asan
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "backsweep.h"

#define COUNT 13

static double *make(size_t count, uintptr_t alignment)
{
    void *memory = malloc(count * sizeof(double) + alignment);
    if (!memory)
        exit(2);
    double *place = (double *)(((uintptr_t)memory & ~(alignment - 1)) + alignment);
    ((void **)place)[-1] = memory;
    return place;
}

static void drop(double *place)
{
    if (place)
        free(((void **)place)[-1]);
}

/* As the intrinsics of vectors store them: of a type that may be any other's. */
typedef double four __attribute__((vector_size(32), may_alias));

static double straight(const double *x, int n)
{
    double *square = make((size_t)n + 4, 64), sum = 0;
    for (int i = 0; i < n; i += 4)
        *(four *)(square + i) = (four){0.5, 0.5, 0.5, 0.5};
    for (int i = 0; i < n; i++)
        square[i] *= x[i] * x[i];
    for (int i = 0; i < n; i++)
        sum += square[i] * square[n - 1 - i];
    drop(square);
    return sum;
}

/* The state is made anew in each step, and one of two lengths. */
static double stepped(const double *x, int n)
{
    double *state = make((size_t)n, 32), sum = 0;
    for (int i = 0; i < n; i++)
        state[i] = x[i];
    for (int t = 0; t < 5; t++) {
        double *next = t % 2 ? make((size_t)n, 32) : make((size_t)n + 7, 128);
        for (int i = 0; i < n; i++)
            next[i] = sin(state[i]) + 0.5 * state[(i + 1) % n] * state[i];
        drop(state);
        state = next;
    }
    for (int i = 0; i < n; i++)
        sum += state[i];
    drop(state);
    return sum;
}

struct row {
    double *numbers;
    int length;
};

/* Behind a pointer in memory, made and dropped by functions that stay calls. */
static __attribute__((noinline)) void open_row(struct row *row, int length)
{
    row->numbers = make((size_t)length, 64);
    row->length = length;
}

static __attribute__((noinline)) void close_row(struct row *row)
{
    drop(row->numbers);
    row->numbers = NULL;
}

static double behind_pointers(const double *x, int n)
{
    struct row rows[3];
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        open_row(&rows[k], n);
        for (int i = 0; i < n; i++)
            rows[k].numbers[i] = k ? rows[k - 1].numbers[i] * x[(i + k) % n] : x[i];
    }
    for (int i = 0; i < n; i++)
        sum += exp(0.1 * rows[2].numbers[i]);
    for (int k = 0; k < 3; k++)
        close_row(&rows[k]);
    return sum;
}

/* Who takes the word for what it is, a pointer, reads numbers through it. */
static __attribute__((noinline)) void grow(struct row *row, int length)
{
    char *memory = ((void **)row->numbers)[-1];
    size_t offset = (size_t)((char *)row->numbers - memory);
    double *larger = make((size_t)length, 64);
    for (int i = 0; i < row->length; i++)
        larger[i] = *(double *)(memory + offset + sizeof(double) * (size_t)i);
    free(memory);
    row->numbers = larger;
    row->length = length;
}

static double grown(const double *x, int n)
{
    struct row row = {make((size_t)n, 64), n};
    double sum = 0;
    for (int i = 0; i < n; i++)
        row.numbers[i] = x[i] * x[i];
    grow(&row, 2 * n);
    for (int i = 0; i < n; i++)
        row.numbers[n + i] = row.numbers[i] * x[i];
    for (int i = 0; i < 2 * n; i++)
        sum += row.numbers[i];
    drop(row.numbers);
    return sum;
}

/* A stack of rows is freed by the word in front of its end, too, and that word is a pointer like others. */
static double stack(const double *x, int n)
{
    double *rows[COUNT], **end = rows, sum = 0;
    for (int i = 0; i < n; i++) {
        double *row = malloc(2 * sizeof *row);
        if (!row)
            exit(2);
        row[0] = x[i] * (i ? end[-1][1] : 1);
        row[1] = cos(x[i]) + 0.5 * row[0];
        *end++ = row;
    }
    for (int i = 0; i < n; i++)
        sum += rows[i][0] * rows[i][1];
    while (end != rows)
        free(*--end);
    return sum;
}

static int failures;

static void check(const char *name, double function(const double *, int), const double *gradient, double *x)
{
    const double step = 1e-6;
    for (int i = 0; i < COUNT; i++) {
        double kept = x[i];
        x[i] = kept + step;
        double above = function(x, COUNT);
        x[i] = kept - step;
        double below = function(x, COUNT);
        x[i] = kept;
        double expected = (above - below) / (2 * step);
        if (!(fabs(gradient[i] - expected) <= 1e-7 * (1 + fabs(expected)))) {
            printf("%s: the derivative in %d is %.12g, not %.12g\n", name, i, gradient[i], expected);
            failures++;
        }
    }
}

#define CHECK(function)                                                                                                        \
    do {                                                                                                                       \
        double gradient[COUNT] = {0};                                                                                          \
        __backsweep_gradient((void *)function, bs_dup, x, gradient, COUNT);                                                    \
        check(#function, function, gradient, x);                                                                               \
    } while (0)

int main(void)
{
    double x[COUNT];
    for (int i = 0; i < COUNT; i++)
        x[i] = 0.3 + 0.1 * sin(1.7 * i);
    /* Between the calls the next allocation comes to lie elsewhere. */
    for (int k = 0; k < 5; k++) {
        void *between = malloc((size_t)k * 16 + 8);
        CHECK(straight);
        CHECK(stepped);
        CHECK(behind_pointers);
        CHECK(grown);
        CHECK(stack);
        free(between);
    }
    return failures != 0;
}
