/* Sums and what else a reverse loop touches lie in one array, in rows that are chosen while the program runs: they are compared
 * there, and where they overlap the loop runs as it was. */
// RUN: %clang -O2 -fno-vectorize -fno-slp-vectorize -fno-discard-value-names %pass %include -DONE -S -emit-llvm %s -o - | FileCheck %s
// RUN: %levels %s double 0.4 1.3 -0.7 0.9 0.2 1.1 0.5 -0.3 0.8 0.6 0.1 1.2
#ifdef ONE
#include "backsweep.h"
#define REQUESTS(f) void gradient(const double *x, double *dx, int n) { __backsweep_gradient_void((void *)f, x, dx, n); }
#else
#include "source.h"
#endif

#include <math.h>

#define ROW 40
static double rows[3][ROW];

/* Old and new are rows of one array. */
// CHECK: carried
static double march(const double *x, int n)
{
    for (int i = 0; i < ROW; i++)
        rows[0][i] = x[i % n];
    for (int t = 0; t < 7; t++) {
        int old = t & 1, new = 1 - old;
        for (int i = 1; i < ROW - 1; i++)
            rows[new][i] = rows[old][i] - 0.1 * rows[old][i] * (rows[old][i + 1] - rows[old][i - 1]);
        rows[new][0] = rows[old][0];
        rows[new][ROW - 1] = rows[old][ROW - 1];
    }
    double sum = 0;
    for (int i = 0; i < ROW; i++)
        sum += rows[1][i] * rows[1][i];
    return sum;
}

/* The same places now and then, a part of them, or none, by how far apart the rows are. */
static double shifted(double *from, double *to, int m)
{
    double last = 0;
    for (int i = 1; i < m - 1; i++) {
        to[i] = sin(from[i - 1]) * from[i] + 0.3 * from[i + 1];
        last += to[i];
    }
    return last;
}

static double f(const double *x, int n)
{
    double room[4 * ROW], sum = march(x, n);
    for (int apart = 0; apart < 2 * ROW; apart += apart < 4 ? 1 : 13) {
        for (int i = 0; i < 4 * ROW; i++)
            room[i] = x[(i + apart) % n];
        sum += 0.1 * shifted(room + ROW, room + ROW + apart, ROW) * room[ROW + 2];
        sum += 0.1 * shifted(room + ROW + apart, room + ROW, ROW) * room[ROW + 3];
    }
    return sum;
}

REQUESTS(f)
