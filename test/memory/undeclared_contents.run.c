/* Numbers and addresses that lie in members declared as something else, in memory that this call made: a callee touches the member as a
 * double, and a member of a union is written as an integer and read as a pointer. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang -fno-strict-aliasing %{level} %include %pass %s -o %t %runtime -lm && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// REDEFINE: %{level} = -O3 -ffast-math
// RUN: %{check}
#include <math.h>
#include <stdint.h>
#include <stdio.h>

#include "backsweep.h"

union pointer {
    double *at;
    uintptr_t number;
};
struct holder {
    double weight;
    union pointer to;
};

static double behind_union(struct holder *at, int n) { return n > 0 ? behind_union(at, n - 1) * 1.5 : *at->to.at; }

/* Put there as a number, and read as a pointer. */
static double in_union(double x, int n) {
    double cells[4] = {x, x * x, 1, 2};
    struct holder at;
    at.weight = 1;
    at.to.number = (uintptr_t)&cells[n - 1];
    return behind_union(&at, n);
}

struct hidden {
    long bits;
    double value;
};

struct open {
    double first, second;
};

/* Functions that call themselves stay calls. */
static void put(struct open *at, double v, int depth)
{
    if (depth > 100) {
        put(at, v, depth - 1);
        return;
    }
    at->first = v;
    at->second = v * v;
}

static double move(struct hidden **row, const double *x, int n, int k)
{
    _Alignas(8) char a[64], b[64];
    for (int i = 0; i < n; i++)
        put((struct open *)(a + 16 * i), x[i], i);
    for (int i = 0; i < n; i++)
        ((struct hidden *)b)[i] = ((struct hidden *)a)[n - 1 - i];
    double *found = (double *)(b + 16 * k);
    put((struct open *)a, found[0] * found[1], 0);
    return *(double *)a + row[0][0].value;
}

static double moved(const double *x, int k)
{
    struct hidden first[4] = {{0, 0.3}};
    struct hidden *row[2] = {first, first};
    return move(row, x, 4, k);
}

static int differ(const char *what, double found, double expected)
{
    if (fabs(found - expected) <= 1e-6 * (1 + fabs(expected)))
        return 0;
    return printf("%s: %.12g, by differences %.12g\n", what, found, expected);
}

int main(void)
{
    double x[4] = {0.5, 1.5, -0.7, 2}, h = 1e-6;
    int wrong = 0;
    for (int n = 1; n <= 4; n++) {
        double expected = (in_union(1.3 + h, n) - in_union(1.3 - h, n)) / (2 * h);
        wrong += differ("union", __backsweep_gradient((void *)in_union, 1.3, n), expected);
        wrong += differ("union, forward", __backsweep_tangent((void *)in_union, 1.3, 1.0, n), expected);
    }
    for (int k = 0; k < 4; k++) {
        double dx[4] = {0};
        __backsweep_gradient_void((void *)moved, x, dx, k);
        for (int i = 0; i < 4; i++) {
            double at = x[i], e[4] = {0}, up, down;
            e[i] = 1;
            x[i] = at + h;
            up = moved(x, k);
            x[i] = at - h;
            down = moved(x, k);
            x[i] = at;
            wrong += differ("moved", dx[i], (up - down) / (2 * h));
            wrong += differ("moved, forward", __backsweep_tangent((void *)moved, x, e, k), (up - down) / (2 * h));
        }
    }
    return wrong != 0;
}
