/* Calls that run twice, where the user says so: the tape of a time loop holds what its steps read, and the records of one step. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: %opt -passes='print<backsweep-explain>' -disable-output %t.ll 2>&1 | FileCheck --check-prefix=EXPLAIN %s
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 %runtime -lm && %t.O2
// RUN: %clang -O3 -ffast-math %pass %include %s -o %t.fast %runtime -lm && %t.fast
// RUN: env BACKSWEEP_OPTIONS=disable=joint %clang -O2 %pass %include %s -DSPLIT -o %t.split %runtime -lm && %t.split
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define CELLS 100
#define STEPS 60

static int reported;
static double most;

/* Marked for one hook. */
// CHECK-LABEL: plan gradient backsweep.primal.by_token
// CHECK: calls reverse advance {{.*}} joint; as asked
static void advance(double *u, int n)
{
    double before = u[n - 1];
    for (int i = 0; i < n; i++) {
        double now = u[i];
        u[i] += 0.1 * now * (before - now);
        before = now;
    }
}

static double by_token(double *u, double *flux, int n)
{
    double sum = flux[0];
    for (int t = 0; t < STEPS; t++)
        advance(u, n);
    for (int i = 0; i < n; i++)
        sum += (1 + i) * u[i];
    return sum;
}

/* In place, with a neighbour, a global, and a branch that some passes take. */
// CHECK-LABEL: plan gradient backsweep.primal.by_annotation
// CHECK: calls reverse step {{.*}} joint; as asked, it runs once more before it is reversed
// CHECK-LABEL: plan augmented step {{.*}} joint
// CHECK: runs the function as it is, and its whole gradient on the way back
// CHECK-NEXT: accesses touch behind %0, 2 of them perhaps, saved
// CHECK-NEXT: accesses touch behind %1, kept while the gradient runs
// CHECK-NEXT: 8 bytes of @most, saved
// EXPLAIN: as asked, it runs once more before it is reversed; each call leaves what it reads
__attribute__((annotate("backsweep_joint"))) static void step(double *u, double *flux, int n)
{
    for (int i = 0; i < n; i++) {
        flux[i] = sin(u[i]) * exp(-u[i] * u[i]);
        if (u[i] > 0.4)
            u[i] *= 0.99;
        u[i] += 0.02 * sin(u[i]) * (i > 0 ? u[i - 1] : 0.5) + 0.001 * most;
    }
    most = 0.5 * most + 0.1 * u[n / 2];
}

static double by_annotation(double *u, double *flux, int n)
{
    double sum = 0;
    most = u[0];
    for (int t = 0; t < STEPS; t++) {
        step(u, flux, n);
        sum += flux[t];
    }
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i];
    return sum + most;
}

/* Listed. */
// CHECK-LABEL: plan gradient backsweep.primal.by_list
// CHECK: calls reverse exchange {{.*}} joint; as asked
// Tables stay as they are, and are read again where they lie, whatever the indices are.
// CHECK-LABEL: plan augmented exchange
// What a call fills before it reads it is not saved.
// CHECK: runs the function as it is
// CHECK-NEXT: accesses touch behind %1, written before anything is read, and saved where more than that is read
// CHECK-NEXT: accesses touch behind %0, saved
// CHECK-NEXT: {{^}}plan
static void exchange(double *u, double *flux, const double *weight, const int *order, int n)
{
    memcpy(flux, u, n * sizeof *u);
    for (int i = 0; i < n; i++)
        u[i] = 0.5 * flux[i] + 0.4 * flux[n - 1 - i] * weight[order[i]];
}
void *__backsweep_joint_listed[] = {(void *)exchange};

static double by_list(double *u, double *flux, int n)
{
    double sum = 0;
    double weight[CELLS];
    int order[CELLS];
    for (int i = 0; i < n; i++) {
        order[i] = (7 * i) % n;
        weight[i] = u[i] * u[i];
    }
    for (int t = 0; t < STEPS; t++)
        exchange(u, flux, weight, order, n);
    for (int i = 0; i < n; i++)
        sum += (1 + i) * u[i] * flux[i];
    return sum;
}

/* Which cells it reads shows only when it runs. */
// CHECK-LABEL: plan gradient backsweep.primal.by_table
// CHECK: calls reverse scatter {{.*}}; it should run twice, and it cannot: which part of `u` it touches is not known where it is entered
// EXPLAIN: it should run twice, and it cannot: which part of `u` it touches is not known where it is entered
static const int table[4] = {3, 0, 2, 1};
__attribute__((annotate("backsweep_joint"))) static void scatter(double *u, int n)
{
    for (int i = 0; i < n; i++)
        u[table[i % 4]] *= 1 + 0.1 * u[i];
}

static double by_table(double *u, double *flux, int n)
{
    scatter(u, n);
    return u[0] * u[1] + u[2] * flux[0] + u[3];
}

/* In place, until it stands still: the first sweep has touched all there is, however many there are. */
// CHECK-LABEL: plan gradient backsweep.primal.by_sweeps
// CHECK-LABEL: plan augmented settle {{.*}} joint
// CHECK: runs the function as it is
// CHECK-NEXT: accesses touch behind %0, saved
__attribute__((annotate("backsweep_joint"))) static void settle(double *u, int n)
{
    double moved;
    int sweeps = 0;
    do {
        moved = 0;
        for (int i = 0; i < n; i++) {
            const double now = 0.5 * u[i] * u[i] + 0.25;
            moved += fabs(now - u[i]);
            u[i] = now;
        }
    } while (moved > 0.1 && ++sweeps < n);
}

static double by_sweeps(double *u, double *flux, int n)
{
    double sum = 0;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < n; i++)
            u[i] += 0.25;
        settle(u, n);
    }
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i] * flux[i];
    return sum;
}

/* The same with a bound on the sweeps, of which the first is certain. */
// CHECK-LABEL: plan gradient backsweep.primal.by_few_sweeps
// CHECK-LABEL: plan augmented settle_soon {{.*}} joint
// CHECK: runs the function as it is
// CHECK-NEXT: accesses touch behind %0, saved
__attribute__((annotate("backsweep_joint"))) static void settle_soon(double *u, int n)
{
    for (int sweep = 0; sweep < 20; sweep++) {
        double moved = 0;
        for (int i = 0; i < n; i++) {
            const double now = 0.5 * u[i] * u[i] + 0.25;
            moved += fabs(now - u[i]);
            u[i] = now;
        }
        if (moved < 0.1)
            break;
    }
}

static double by_few_sweeps(double *u, double *flux, int n)
{
    double sum = 0;
    for (int t = 0; t < STEPS; t++) {
        for (int i = 0; i < n; i++)
            u[i] += 0.25;
        settle_soon(u, n);
    }
    for (int i = 0; i < n; i++)
        sum += u[i] * u[i] * flux[i];
    return sum;
}

typedef double model(double *u, double *flux, int n);

static void start(double *u, double *flux)
{
    for (int i = 0; i < CELLS; i++) {
        u[i] = 0.5 + 0.4 * sin(i);
        flux[i] = 0.3;
    }
}

/* What the model has left, the derivatives against differences, and what went on the tape at most. */
static void check(const char *name, model *f, const double *left, const double *du, size_t most_bytes)
{
    double u[CELLS], flux[CELLS];
    start(u, flux);
    f(u, flux, CELLS);
    if (memcmp(u, left, sizeof u) != 0) {
        printf("%s does not leave its cells as the model does\n", name);
        reported = 1;
    }
    for (int k = 0; k < CELLS; k += 7) {
        double values[2];
        for (int side = 0; side < 2; side++) {
            start(u, flux);
            u[k] += side ? 1e-6 : -1e-6;
            values[side] = f(u, flux, CELLS);
        }
        const double expected = (values[1] - values[0]) / 2e-6;
        if (!(fabs(du[k] - expected) <= 1e-6 * fmax(1, fabs(expected)))) {
            printf("%s, cell %d: %.12g, by differences %.12g\n", name, k, du[k], expected);
            reported = 1;
        }
    }
    struct bs_tape_stats stats;
    bs_tape_stats(bs_tape_of_thread(), &stats);
#ifdef SPLIT
    most_bytes *= 20;
#endif
    if (stats.peak > most_bytes) {
        printf("%s has up to %zu bytes on its tape, not %zu\n", name, stats.peak, most_bytes);
        reported = 1;
    }
}

/* The peak of the tape never falls, so the models come in the order of what they need. */
int main(void)
{
    double u[CELLS], du[CELLS] = {0}, flux[CELLS], dflux[CELLS] = {0};
    start(u, flux);
    __backsweep_gradient((void *)by_token, bs_joint, (void *)advance, u, du, flux, dflux, CELLS);
    check("by_token", by_token, u, du, STEPS * (CELLS * 8 + 64) + 20 * CELLS * 8);

    memset(du, 0, sizeof du);
    memset(dflux, 0, sizeof dflux);
    start(u, flux);
    __backsweep_gradient((void *)by_annotation, u, du, flux, dflux, CELLS);
    check("by_annotation", by_annotation, u, du, STEPS * (CELLS * 8 + 120) + 20 * CELLS * 8);

    memset(du, 0, sizeof du);
    memset(dflux, 0, sizeof dflux);
    start(u, flux);
    __backsweep_gradient((void *)by_list, u, du, flux, dflux, CELLS);
    check("by_list", by_list, u, du, STEPS * (CELLS * 8 + 160) + 20 * CELLS * 8);

    memset(du, 0, sizeof du);
    memset(dflux, 0, sizeof dflux);
    start(u, flux);
    __backsweep_gradient((void *)by_table, u, du, flux, dflux, CELLS);
    check("by_table", by_table, u, du, 1 << 20);

    memset(du, 0, sizeof du);
    memset(dflux, 0, sizeof dflux);
    start(u, flux);
    __backsweep_gradient((void *)by_sweeps, u, du, flux, dflux, CELLS);
    check("by_sweeps", by_sweeps, u, du, STEPS * (CELLS * 8 + 160) + 40 * CELLS * 8);

    memset(du, 0, sizeof du);
    memset(dflux, 0, sizeof dflux);
    start(u, flux);
    __backsweep_gradient((void *)by_few_sweeps, u, du, flux, dflux, CELLS);
    check("by_few_sweeps", by_few_sweeps, u, du, STEPS * (CELLS * 8 + 160) + 40 * CELLS * 8);
    return reported;
}
