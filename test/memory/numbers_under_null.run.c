/* A pointer stored where a float was, and read as one: null is zero, and has nothing of the number that was there before. In the function
 * itself, in one that calls itself, behind a copy, and with a pointer in the same place before. */
// RUN: for level in -O0 -O1 -O2 -O3 "-O2 -fno-strict-aliasing"; do %clang $level %pass %include %s -o %t %runtime && %t || exit 1; done
// RUN: %clang -O1 -g -fsanitize=address %pass %include %s -o %t.asan %runtime && %t.asan
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

union word {
    double number;
    union word *link;
};

/* The number in the middle gives way to null. */
static double emptied(const double *x, int n)
{
    union word *words = malloc(n * sizeof *words);
    double sum = 0;
    for (int i = 0; i < n; i++)
        words[i].number = x[i] * x[0];
    if (n > 2)
        words[n / 2].link = NULL;
    for (int i = 0; i < n; i++)
        sum += words[i].number * (i + 1);
    free(words);
    return sum;
}

__attribute__((noinline)) static void empty(union word *words, int depth)
{
    if (depth > 0) {
        empty(words + 1, depth - 1);
        return;
    }
    words->link = NULL;
}

static double by_recursion(const double *x, int n)
{
    union word *words = malloc(n * sizeof *words);
    double sum = 0;
    for (int i = 0; i < n; i++)
        words[i].number = x[i] * x[i];
    empty(words, n / 2);
    for (int i = 0; i < n; i++)
        sum += words[i].number * words[i].number;
    free(words);
    return sum;
}

/* A pointer first, then numbers, of which one is emptied, again and again. */
static double by_turns(const double *x, int n)
{
    union word words[4];
    double sum = 0;
    for (int i = 0; i < 4; i++)
        words[i].link = words;
    for (int t = 0; t < n; t++) {
        for (int i = 0; i < 4; i++)
            words[i].number = x[i] * x[t] + (words[i].link == words ? 0 : words[i].number);
        words[t % 4].link = NULL;
        sum += words[0].number * words[1].number + words[2].number * words[3].number;
    }
    return sum;
}

static double differences_of(double f(const double *, int), double *x, int n, int at)
{
    const double h = 1e-6, was = x[at];
    x[at] = was + h;
    double above = f(x, n);
    x[at] = was - h;
    double below = f(x, n);
    x[at] = was;
    return (above - below) / (2 * h);
}

#define CHECK(f)                                                                                        \
    do {                                                                                                \
        double x[4] = {0.9, 1.1, 0.7, 1.3}, dx[4] = {0};                                                 \
        __backsweep_gradient_void((void *)f, x, dx, 4);                                                  \
        for (int i = 0; i < 4; i++) {                                                                    \
            double d[4] = {i == 0, i == 1, i == 2, i == 3};                                              \
            double forward = __backsweep_tangent((void *)f, x, d, 4), h = differences_of(f, x, 4, i);    \
            if (fabs(dx[i] - forward) > 1e-12 || fabs(forward - h) > 1e-7)                               \
                wrong += printf("%s, %d: reverse %g, forward %g, %g\n", #f, i, dx[i], forward, h);       \
        }                                                                                                \
    } while (0)

int main(void)
{
    int wrong = 0;
    CHECK(emptied);
    CHECK(by_recursion);
    CHECK(by_turns);
    return wrong != 0;
}
