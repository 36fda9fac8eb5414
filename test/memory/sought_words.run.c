/* Blocks of words of which some are numbers, some pointers and some counts, copied by a length that is known only when the program
   runs, to and fro, over themselves, and at places where no word starts: what moves them does not say what it moves. */
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

union word {
    double number;
    union word *pointer;
    long count;
    char text[8];
};

/* What each word is says the caller's letter; so no type does. */
static void put(union word *block, const char *kinds, const double *x, union word *other) {
    for (int i = 0; kinds[i]; i++) {
        if (kinds[i] == 'n')
            block[i].number = x[i % 3] * (i + 1);
        else if (kinds[i] == 'p')
            block[i].pointer = other;
        else
            block[i].count = i * 3;
    }
}

static double sum(const union word *block, const char *kinds, int deep) {
    double total = 0;
    for (int i = 0; kinds[i]; i++) {
        if (kinds[i] == 'n')
            total += block[i].number * block[i].number * (i + 1);
        else if (kinds[i] == 'p' && deep)
            total += block[i].pointer[0].number * block[i].pointer[1].number;
        else if (kinds[i] == 'c' && block[i].count > 6)
            total *= 1.25;
    }
    return total;
}

__attribute__((noinline)) static long length(const char *kinds) { return strlen(kinds) * sizeof(union word); }

double f(const double *x, const char *kinds) {
    long bytes = length(kinds);
    union word *first = malloc(bytes + 16), *second = malloc(bytes + 16), *leaf = malloc(16);
    leaf[0].number = sin(x[0]);
    leaf[1].number = x[1] * x[2];
    put(first, kinds, x, leaf);
    memcpy(second, first, bytes);
    double total = sum(second, kinds, 1);
    second[0].number *= 2;
    memcpy(first, second, bytes);
    total += sum(first, kinds, 1) * x[1];
    /* Over itself, by one word forward and back. */
    memmove(first + 1, first, bytes);
    total += sum(first + 1, kinds, 1);
    memmove(first, first + 1, bytes);
    leaf[1].number += x[0];
    total += sum(first, kinds, 1);
    /* Text beside numbers, from where no word starts. */
    second[1].count = 0;
    memcpy((char *)(second + 1) + 1, &"abcdef"[bytes % 2], 3);
    memcpy((char *)(second + 1) + 4, (char *)(second + 1) + 1, bytes % 8 + 2);
    total += second[1].text[4] == 'a' ? x[2] : x[1];
    free(first);
    free(second);
    free(leaf);
    return total;
}

int main(void) {
    const char *kinds[] = {"nncpn", "npppcn", "nncccccc", "nn"};
    int bad = 0;
    for (int k = 0; k < 4; k++) {
        double x[3] = {0.7, -1.3, 0.4}, dx[3] = {0, 0, 0};
        __backsweep_gradient_void((void *)f, x, dx, bs_const, kinds[k]);
        for (int i = 0; i < 3; i++) {
            double h = 1e-5, left[3], right[3], e[3] = {0, 0, 0};
            memcpy(left, x, sizeof x);
            memcpy(right, x, sizeof x);
            left[i] -= h;
            right[i] += h;
            e[i] = 1;
            double central = (f(right, kinds[k]) - f(left, kinds[k])) / (2 * h);
            double forward = __backsweep_tangent((void *)f, x, e, bs_const, kinds[k]);
            if (!(fabs(dx[i] - forward) < 1e-11 * (1 + fabs(forward))) || !(fabs(dx[i] - central) < 1e-6 * (1 + fabs(central))))
                bad = printf("%s, %d: %.12g, forward %.12g, central %.12g\n", kinds[k], i, dx[i], forward, central);
        }
    }
    return bad != 0;
}
