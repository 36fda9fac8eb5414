/* Arrays that the caller looks at afterwards, overwritten in place again and again: each store saves what it overwrites, one number,
 * and the caller finds what the function left him. The runtime is told once of each row. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: env BACKSWEEP_OPTIONS=disable=left %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.without
// RUN: FileCheck --check-prefix=WITHOUT %s < %t.without
// RUN: for level in "-O0" "-O1" "-O2" "-O3 -march=x86-64-v3" "-O2 -fsanitize=address"; do \
// RUN:   %clang $level -g %include %pass %s -o %t.run %runtime -lm && %t.run one || exit 1; done
// RUN: %clang -O2 -g -fsanitize=address,undefined %include %pass %s -o %t.all %runtime -lm && %t.all two
// RUN: env BACKSWEEP_OPTIONS=disable=left %clang -O2 %include %pass %s -o %t.two %runtime -lm && %t.two two
#include "backsweep.h"
#include "backsweep_rt.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

#define N 40
#define STEPS 30

/* From left to right: what a pass reads to its left is new. */
// CHECK-LABEL: plan gradient backsweep.primal.sweep
// CHECK: saves what it overwrites, which is put back on the way back
// CHECK: what it leaves is kept for the caller, told of behind ^{{[0-9]+}}, a row by 8 bytes
// WITHOUT-LABEL: plan gradient backsweep.primal.sweep
// WITHOUT-NOT: saves what it overwrites
static double sweep(double *u, int n)
{
    double sum = 0;
    for (int t = 0; t < STEPS; t++)
        for (int i = 1; i < n - 1; i++)
            u[i] += 0.05 * u[i] * (u[i + 1] - u[i - 1]) + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]);
    for (int i = 0; i < n; i++)
        sum += 0.5 * u[i] * u[i];
    return sum;
}

/* From right to left, over every other cell: what lies between is another array, and not touched. */
// CHECK-LABEL: plan gradient backsweep.primal.strided
// CHECK: told of behind ^{{[0-9]+}}, a row by -16 bytes
// WITHOUT-LABEL: plan gradient backsweep.primal.strided
static double strided(double *u, int n)
{
    double sum = 0;
    for (int t = 0; t < STEPS; t++)
        for (int i = n / 2 - 2; i > 0; i--)
            u[2 * i] += 0.05 * u[2 * i] * (u[2 * i + 2] - u[2 * i - 2]);
    for (int i = 0; i < n / 2; i++)
        sum += 0.5 * u[2 * i] * u[2 * i];
    return sum;
}

/* What is stored only sometimes is told of each time; a global is not the caller's alone. */
// CHECK-LABEL: plan gradient backsweep.primal.sometimes
// WITHOUT-LABEL: plan gradient backsweep.primal.sometimes
static double state[N];
static double sometimes(double *u, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        state[i] = u[i];
    for (int t = 0; t < STEPS; t++)
        for (int i = 1; i < n - 1; i++)
            if (state[i] < 1.2)
                state[i] += 0.05 * state[i] * (state[i + 1] - state[i - 1]) * state[i - 1] * state[i + 1];
    for (int i = 0; i < n; i++)
        sum += 0.5 * state[i] * state[i];
    return sum;
}

/* A grid of rows with a border that is read and never written. */
// CHECK-LABEL: plan gradient backsweep.primal.grid
// WITHOUT-LABEL: plan gradient backsweep.primal.grid
static double grid(double *u, int n)
{
    double(*g)[8] = (double(*)[8])u, sum = 0;
    for (int t = 0; t < STEPS; t++)
        for (int i = 1; i < n / 8 - 1; i++)
            for (int j = 1; j < 7; j++)
                g[i][j] += 0.04 * g[i][j] * (g[i + 1][j] - g[i - 1][j]) * (g[i][j + 1] - g[i][j - 1]);
    for (int i = 0; i < n; i++)
        sum += 0.5 * u[i] * u[i];
    return sum;
}

typedef double function(double *, int);

static void start(double *u)
{
    for (int i = 0; i < N; i++)
        u[i] = 0.5 + 0.3 * sin(0.7 * i);
}

/* The derivative and what it leaves: shadows lie between the cells of `strided`. */
static int check(const char *name, function *f, void (*gradient)(double *, double *, int), size_t most)
{
    double u[N], du[N], left[N], at[N];
    struct bs_tape_stats before, after;
    start(left);
    memset(state, 0, sizeof state);
    f(left, N);
    double left_state[N];
    memcpy(left_state, state, sizeof state);
    start(u);
    memset(du, 0, sizeof du);
    memset(state, 0, sizeof state);
    bs_tape_stats(NULL, &before);
    gradient(u, du, N);
    bs_tape_stats(NULL, &after);
    int failures = 0;
    for (int i = 0; i < N; i++)
        if (fabs(u[i] - left[i]) > 1e-14 || fabs(state[i] - left_state[i]) > 1e-14)
            failures += printf("%s leaves %.17g in cell %d, and not %.17g\n", name, u[i], i, left[i]) > 0;
    for (int i = 0; i < N; i++) {
        double h = 1e-6, ends[2];
        for (int side = 0; side < 2; side++) {
            start(at);
            at[i] += side ? h : -h;
            ends[side] = f(at, N);
        }
        double difference = (ends[1] - ends[0]) / (2 * h);
        if (fabs(difference - du[i]) > 1e-7 * (1 + fabs(difference)))
            failures += printf("%s: %.12g in cell %d, and not %.12g\n", name, du[i], i, difference) > 0;
    }
    if (after.total - before.total > most)
        failures += printf("%s records %zu bytes of at most %zu\n", name, after.total - before.total, most) > 0;
    return failures;
}

#define GRADIENT(f)                                                                                                            \
    static void gradient_##f(double *u, double *du, int n) { __backsweep_gradient(f, bs_dup, u, du, n); }
GRADIENT(sweep)
GRADIENT(strided)
GRADIENT(sometimes)
GRADIENT(grid)

/* The shadow of each cell lies behind it. */
static void check_between(int *failures)
{
    double both[2 * N], alone[N], dalone[N];
    start(alone);
    memset(both, 0, sizeof both);
    memset(dalone, 0, sizeof dalone);
    for (int i = 0; i < N; i += 2)
        both[i] = alone[i];
    gradient_strided(alone, dalone, N);
    gradient_strided(both, both + 1, N);
    for (int i = 0; i < N; i += 2)
        if (both[i] != alone[i] || both[i + 1] != dalone[i])
            *failures += printf("cell %d: %g and %g beside each other\n", i, both[i], both[i + 1]) > 0;
}

int main(int argc, char **argv)
{
    (void)argc;
    int failures = 0;
    /* One number a store, and what it takes to keep what is left. */
    size_t most = strcmp(argv[1], "one") ? 1 << 20 : STEPS * N * 8 + 64 * STEPS + 4096;
    failures += check("sweep", sweep, gradient_sweep, most);
    failures += check("strided", strided, gradient_strided, most);
    failures += check("sometimes", sometimes, gradient_sometimes, 2 * most);
    failures += check("grid", grid, gradient_grid, most);
    check_between(&failures);
    return failures > 0;
}
