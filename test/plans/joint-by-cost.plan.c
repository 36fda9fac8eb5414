/* Calls that run twice though nobody says so: where the tape would be far larger than any cache, what the callee reads is a small
 * part of it, and running it again takes less than to store it. Everything else is inlined as ever. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: %opt -passes='print<backsweep-explain>' -disable-output %t.ll 2>&1 | FileCheck --check-prefix=EXPLAIN %s
// RUN: env BACKSWEEP_OPTIONS=disable=joint %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 %runtime -lm && %t.O2
// RUN: %clang -O3 -ffast-math %pass %include %s -o %t.fast %runtime -lm && %t.fast
// RUN: env BACKSWEEP_OPTIONS=disable=joint %clang -O2 %pass %include %s -DOFF -o %t.off %runtime -lm && %t.off
#include <math.h>
#include <stdio.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define CELLS 4000
#define SWEEPS 30
#define STEPS 80

static int reported;

/* Cheap to compute, and everything is overwritten. */
// OFF: plan gradient backsweep.primal.smoothed
// OFF-NOT: by cost
// OFF: plan gradient backsweep.primal.bent
// CHECK-LABEL: plan gradient backsweep.primal.smoothed
// CHECK: calls reverse smooth {{.*}} joint; by cost, it runs once more before it is reversed: {{[0-9]+}} bytes on the tape and {{[0-9]+}} in passing, in place of {{[0-9]+$}}
// CHECK-LABEL: plan augmented smooth {{.*}} joint
// CHECK: runs the function as it is, and its whole gradient on the way back
// EXPLAIN: by cost, it runs once more before it is reversed: {{[0-9]+}} bytes on the tape and {{[0-9]+}} in passing, in place of {{[0-9]+}}; each call leaves what it reads
static void smooth(double *restrict u, const double *restrict k, int n)
{
    for (int s = 0; s < SWEEPS; s++)
        for (int i = 0; i < n; i++)
            u[i] = 0.99 * u[i] * (1 + k[i] * u[i] * 0.01);
}

static double smoothed(double *restrict u, const double *restrict k, int n)
{
    double sum = 0;
    for (int t = 0; t < STEPS; t++)
        smooth(u, k, n);
    for (int i = 0; i < n; i++)
        sum += (1 + i % 3) * u[i];
    return sum;
}

/* As many operations as storing a number takes, of which several run at a time. */
// CHECK-LABEL: plan gradient backsweep.primal.spread
// CHECK: calls reverse spread_once {{.*}} joint; by cost, it runs once more before it is reversed
static void spread_once(double *restrict u, const double *restrict k, int n)
{
    double next[CELLS];
    for (int s = 0; s < SWEEPS; s++) {
        for (int i = 1; i < n - 1; i++)
            next[i] = u[i] + 0.1 * k[i] * (u[i - 1] - 2 * u[i] + u[i + 1]) + 0.02 * u[i] * (1 - u[i]);
        for (int i = 1; i < n - 1; i++)
            u[i] = next[i];
    }
}

static double spread(double *restrict u, const double *restrict k, int n)
{
    double sum = 0;
    for (int t = 0; t < STEPS; t++)
        spread_once(u, k, n);
    for (int i = 0; i < n; i++)
        sum += (1 + i % 3) * u[i];
    return sum;
}

/* The same with functions, which take longer than to store what they give. */
// CHECK-LABEL: plan gradient backsweep.primal.bent
// CHECK-NOT: by cost
static void bend(double *restrict u, const double *restrict k, int n)
{
    for (int s = 0; s < SWEEPS; s++)
        for (int i = 0; i < n; i++)
            u[i] = u[i] + 0.01 * exp(-u[i]) * k[i];
}

static double bent(double *restrict u, const double *restrict k, int n)
{
    double sum = 0;
    for (int t = 0; t < STEPS; t++)
        bend(u, k, n);
    for (int i = 0; i < n; i++)
        sum += u[i];
    return sum;
}

/* One sweep a call: what it reads is as much as it would record. */
// CHECK-LABEL: plan gradient backsweep.primal.swept
// CHECK-NOT: by cost
static void sweep(double *restrict u, const double *restrict k, int n)
{
    for (int i = 0; i < n; i++)
        u[i] = 0.99 * u[i] * (1 + k[i] * u[i] * 0.01);
}

static double swept(double *restrict u, const double *restrict k, int n)
{
    double sum = 0;
    for (int t = 0; t < STEPS * SWEEPS; t++)
        sweep(u, k, n);
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i];
    return sum;
}

/* The first, of so few cells that caches hold the tape, and of as many as the user has. */
// CHECK-LABEL: plan gradient backsweep.primal.smoothed
// CHECK-NOT: by cost
// CHECK-LABEL: plan gradient backsweep.primal.smoothed
// CHECK-NOT: by cost
// CHECK-LABEL: plan gradient backsweep.primal.told
// CHECK-NOT: by cost
/* What the user says goes before. */
__attribute__((annotate("backsweep_inline"))) static void smooth_here(double *restrict u, const double *restrict k, int n)
{
    for (int s = 0; s < SWEEPS; s++)
        for (int i = 0; i < n; i++)
            u[i] = 0.99 * u[i] * (1 + k[i] * u[i] * 0.01);
}

static double told(double *restrict u, const double *restrict k, int n)
{
    double sum = 0;
    for (int t = 0; t < STEPS; t++)
        smooth_here(u, k, n);
    for (int i = 0; i < n; i++)
        sum += (1 + i % 3) * u[i];
    return sum;
}

typedef double model(double *restrict u, const double *restrict k, int n);
static double u[CELLS], k[CELLS], du[CELLS], dk[CELLS];

static double run(model *f, double *changed, int cell, double by, int n)
{
    for (int i = 0; i < CELLS; i++) {
        u[i] = 0.5 + 0.4 * sin(i);
        k[i] = 0.3 + 0.1 * cos(i);
    }
    changed[cell] += by;
    return f ? f(u, k, n) : 0;
}

static void clear(void)
{
    for (int i = 0; i < CELLS; i++)
        du[i] = dk[i] = 0;
    run(0, u, 0, 0, 0);
}

/* The derivatives against differences, and what went on the tape at most. */
static void check(const char *name, model *f, int n, size_t most)
{
    struct bs_tape_stats stats;
    bs_tape_stats(bs_tape_of_thread(), &stats);
    for (int cell = 0; cell < n; cell += n / 5 - 1)
        for (int side = 0; side < 2; side++) {
            double *changed = side ? k : u, got = (side ? dk : du)[cell];
            double want = (run(f, changed, cell, 1e-5, n) - run(f, changed, cell, -1e-5, n)) / 2e-5;
            if (!(fabs(got - want) <= 1e-6 * (1e-3 + fabs(want)))) {
                printf("%s, %s of cell %d: %.12g, by differences %.12g\n", name, side ? "k" : "u", cell, got, want);
                reported = 1;
            }
        }
    if (stats.peak > most) {
        printf("%s leaves %zu bytes on the tape\n", name, (size_t)stats.peak);
        reported = 1;
    }
}

int main(void)
{
#ifdef OFF
    const size_t little = (size_t)1 << 30;
#else
    const size_t little = 6 << 20;
#endif
    clear();
    __backsweep_gradient((void *)smoothed, u, du, bs_dup, k, dk, CELLS);
    check("smoothed", smoothed, CELLS, little);
    clear();
    __backsweep_gradient((void *)spread, u, du, bs_dup, k, dk, CELLS);
    check("spread", spread, CELLS, little);
    clear();
    __backsweep_gradient((void *)bent, u, du, bs_dup, k, dk, CELLS);
    check("bent", bent, CELLS, (size_t)1 << 30);
    clear();
    __backsweep_gradient((void *)swept, u, du, bs_dup, k, dk, CELLS);
    check("swept", swept, CELLS, (size_t)1 << 30);
    return reported;
}

void few(void)
{
    clear();
    __backsweep_gradient((void *)smoothed, u, du, bs_dup, k, dk, 40);
}

void many(int n)
{
    clear();
    __backsweep_gradient((void *)smoothed, u, du, bs_dup, k, dk, n);
}

void as_told(void)
{
    clear();
    __backsweep_gradient((void *)told, u, du, bs_dup, k, dk, CELLS);
}
