/* What prices of plans know: how often loops go round, what putting back takes, and how long an adjoint is on its way through a pass. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime -lm && %t.O3
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backsweep.h"

#define N 300
#define STEPS 200
#define INPUTS (2 * N)

/* On a ring the ends have neighbours at the other end, which are numbers of their own. Beside three hundred that is nothing, so that the
 * row is recorded and not put back. */
// CHECK-LABEL: plan gradient backsweep.primal.on_a_ring
// CHECK-NOT: what overwrites it is undone
// CHECK: lies in a row from
static double on_a_ring(double *x)
{
    double slope[N], sum = 0;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < N; i++)
            slope[i] = (x[(i + 1) % N] - x[(i + N - 2) % N]) * x[(i + N - 1) % N] - x[i];
        for (int i = 0; i < N; i++)
            x[i] += 0.01 * slope[i];
    }
    for (int i = 0; i < N; i++)
        sum += x[i] * x[i];
    return sum;
}

/* An adjoint that goes through ten steps, one after the other, for each edge: its local Jacobian multiplies it once. */
// CHECK-LABEL: plan gradient backsweep.primal.along_edges
// CHECK: preaccumulated: local Jacobians
static int from[INPUTS], to[INPUTS];
static double along_edges(double *x)
{
    double sum = 0, gained[N] = {0};
    for (int e = 0; e < INPUTS; e++) {
        double a = x[from[e]], b = x[to[e]], mean = 0.5 * (a + b);
        double flux = x[N + e % N] * (mean * mean * (a - b) + 0.1 * fabs(mean) * (a - b));
        gained[from[e]] -= flux;
        gained[to[e]] += flux;
    }
    for (int i = 0; i < N; i++)
        sum += gained[i] * gained[i];
    return sum;
}

typedef double model(double *x);

static void set_up(double *x)
{
    for (int i = 0; i < INPUTS; i++)
        x[i] = 1 + 0.5 * sin(3 * i);
}

static void check(const char *name, model *f, const double *dx)
{
    static double x[INPUTS];
    for (int i = 0; i < INPUTS; i += 97) {
        double sides[2];
        for (int side = 0; side < 2; side++) {
            set_up(x);
            x[i] += side ? -1e-5 : 1e-5;
            sides[side] = f(x);
        }
        double difference = (sides[0] - sides[1]) / 2e-5;
        if (!(fabs(difference - dx[i]) <= 1e-6 * (1 + fabs(difference)))) {
            printf("%s: the derivative by number %d is %g by differences, and %g\n", name, i, difference, dx[i]);
            exit(1);
        }
    }
}

#define CHECK(f)                                   \
    do {                                           \
        static double x[INPUTS], dx[INPUTS];       \
        set_up(x);                                 \
        __backsweep_gradient(f, bs_dup, x, dx);    \
        check(#f, f, dx);                          \
    } while (0)

int main(void)
{
    for (int e = 0; e < INPUTS; e++) {
        from[e] = e % N;
        to[e] = (e * 37 + 11) % N;
    }
    CHECK(on_a_ring);
    CHECK(along_edges);
    return 0;
}
