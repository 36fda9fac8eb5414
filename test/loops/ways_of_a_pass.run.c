/* What a pass of a loop has decided is recorded as its block ends, though it is read where the ways come together: then nothing passes
 * from one pass to the next, and both loops can be vectorised. Ways of two kinds, one within another, around an inner loop,
 * and one on which nothing runs. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime -lm && %t.O3
// RUN: %clang -O1 -Xclang -disable-llvm-passes %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
#include "backsweep.h"

#define CELLS 40
#define N (CELLS + 3)
#include "../memory/Inputs/differences.h"

/* A filter whose negative answers leak. */
static void leaky(const double *restrict x, const double *restrict weights, double *restrict y)
{
    for (int i = 1; i < CELLS - 1; i++) {
        double s = weights[0] * x[i - 1] + weights[1] * x[i] + weights[2] * x[i + 1];
        y[i] = s > 0 ? s * s : 0.01 * s;
    }
}

/* The upwind of two fluxes where both go one way, and one of both elsewhere. */
static void upwind(const double *restrict x, const double *restrict weights, double *restrict y)
{
    for (int i = 0; i < CELLS - 1; i++) {
        double left = x[i] * weights[0] - 0.4, right = x[i + 1] * weights[1] - 0.6, flux;
        if (left > 0)
            flux = right > left ? left * x[i] : right * right * x[i + 1];
        else
            flux = (right * x[i] - left * x[i + 1]) / (right - left + 3);
        y[i] = flux * flux;
    }
}

/* An inner loop on one of the ways, and a question that is asked only there. */
static void nested(const double *restrict x, const double *restrict weights, double *restrict y)
{
    for (int i = 0; i < CELLS; i++) {
        double s = x[i] * weights[i % 3];
        if (s > 0.3) {
            for (int k = 0; k < i % 5; k++) {
                s = s * x[(i + k) % CELLS];
                if (s > 0.5)
                    s = sin(s);
            }
        }
        y[i] = s > 0.2 ? s * x[i] : s;
    }
}

/* In place, so that what was read is gone. */
// CHECK-LABEL: plan gradient {{.*}}in_place
// CHECK: recorded as the block ends, for the pass: %
static void in_place(const double *restrict x, const double *restrict weights, double *restrict y)
{
    for (int i = 0; i < CELLS; i++)
        y[i] = x[i];
    for (int step = 0; step < 4; step++)
        for (int i = 0; i < CELLS; i++) {
            double old = y[i];
            y[i] = old > weights[step % 3] ? old * old : old + 0.1 * old * weights[1];
        }
}

/* All cells, by the numbers and the three weights behind them. */
#define SUM(f)                                                                                                         \
    static double sum_of_##f(const double *x)                                                                          \
    {                                                                                                                  \
        double y[CELLS] = {0}, sum = 0;                                                                                \
        f(x, x + CELLS, y);                                                                                            \
        for (int i = 0; i < CELLS; i++)                                                                                \
            sum += y[i] * (1 + 0.1 * i);                                                                               \
        return sum;                                                                                                    \
    }

SUM(leaky)
SUM(upwind)
SUM(nested)
SUM(in_place)

int main(void)
{
    double x[N];
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = sin(1 + 7 * i);
    CHECK(sum_of_leaky);
    CHECK(sum_of_upwind);
    CHECK(sum_of_nested);
    CHECK(sum_of_in_place);
    return wrong;
}
