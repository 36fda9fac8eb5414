/* The example of the adjoint data-flow paper (figure 1.2): what the plan and the generated code leave out, and that the
 * derivative is right. The facts behind it are stated in facts/flw2d1col.facts.c. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: %opt -passes=backsweep -S %t.ll -o %t.derived.ll
// RUN: FileCheck --check-prefix=CODE %s < %t.derived.ll
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime && %t.O0
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime && %t.O3
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

#define NODES 9
#define SEGMENTS 12

static void ck(double pm, double *restrict sq);

// clang-format off
// Of the loop there remains its counter; nothing is recorded, neither qsor nor dplim nor anything else.
// CHECK-LABEL: plan
// CHECK-NOT: {{%[0-9]+}}: save on overwrite
// CHECK-NOT: saves what it overwrites
static void flw(int nsg1, int nsg2, const int *restrict nubo, const double *restrict t3,
                const double *restrict pres, const double *restrict vnocl, const double *restrict g3,
                const double *restrict g4, double *restrict rh3, double *restrict rh4, double *restrict sq) {
    for (int iseg = nsg1; iseg < nsg2; iseg++) {
        int is1 = nubo[2 * iseg];
        int is2 = nubo[2 * iseg + 1];
        double v = vnocl[2 * iseg + 1];
        double qsor = t3[is1] * v;               // CHECK-DAG: left out of the forward sweep, float at [[#@LINE]]:
        double qs = t3[is2] * v;                 // CHECK-DAG: left out of the forward sweep, float at [[#@LINE]]:
        double dplim = qsor * g4[is1];           // CHECK-DAG: left out of the forward sweep, float at [[#@LINE]]:
        dplim += qs * g4[is2];                   // CHECK-DAG: left out of the forward sweep, call of @llvm.fmuladd.f64 at [[#@LINE]]:
        rh4[is1] += dplim;                       // CHECK-DAG: left out of the forward sweep, store at [[#@LINE]]:{{.*}}; nobody reads it there
        rh4[is2] -= dplim;                       // CHECK-DAG: left out of the forward sweep, store at [[#@LINE]]:{{.*}}; nobody reads it there
        double pm = pres[is1] + pres[is2];       // CHECK-DAG: left out of the forward sweep, float at [[#@LINE]]:
        dplim = qsor * g3[is1] + qs * g3[is2];   // CHECK-DAG: left out of the forward sweep, float at [[#@LINE]]:
        dplim += pm * v;                         // CHECK-DAG: left out of the forward sweep, call of @llvm.fmuladd.f64 at [[#@LINE]]:
        rh3[is1] += dplim;                       // CHECK-DAG: left out of the forward sweep, store at [[#@LINE]]:{{.*}}; nobody reads it there
        rh3[is2] -= dplim;                       // CHECK-DAG: left out of the forward sweep, store at [[#@LINE]]:{{.*}}; nobody reads it there
        ck(pm, sq);
    }
}

// All of ck is left out, which is not called but inlined.
__attribute__((noinline)) static void ck(double pm, double *restrict sq) {
    *sq += pm * pm * sin(pm);                    // CHECK-DAG: left out of the forward sweep, call of @sin at [[#@LINE]]:
                                                 // CHECK-DAG: left out of the forward sweep, store at [[#@LINE-1]]:{{.*}}; nobody reads it there
}

// CHECK-NOT: records

// In the forward sweep no number is read, computed or stored, and nothing is called.
// CODE-LABEL: define {{.*}}@backsweep.gradient.flw(
// CODE-NOT: call
// CODE-NOT: fmul
// CODE-NOT: fadd
// CODE-NOT: load double
// CODE: {{^}}reverse
// CODE-NOT: @backsweep.p{{ush|op}}
// CODE: call {{.*}}@sin
// CODE: call {{.*}}cos
// CODE: {{^}}}

#define SHADOWED(x) bs_dup_noneed, x, d##x
static void gradient(int nsg1, int nsg2, const int *nubo, double *t3, double *dt3, double *pres, double *dpres,
                     double *vnocl, double *dvnocl, double *g3, double *dg3, double *g4, double *dg4, double *rh3,
                     double *drh3, double *rh4, double *drh4, double *sq, double *dsq) {
    __backsweep_gradient((void *)flw, bs_const, nsg1, bs_const, nsg2, bs_const, nubo, SHADOWED(t3), SHADOWED(pres),
                         SHADOWED(vnocl), SHADOWED(g3), SHADOWED(g4), SHADOWED(rh3), SHADOWED(rh4), SHADOWED(sq));
}
// clang-format on

enum { T3, PRES, VNOCL, G3, G4, RH3, RH4, SQ, ARRAYS };
#define MOST (2 * SEGMENTS)
static const int counts[ARRAYS] = {NODES, NODES, MOST, NODES, NODES, NODES, NODES, 1};

static double number(int i) { return sin(12.9898 * i + 4.1414); }

/* The outputs, weighted, with one input moved. */
static double weighted(int array, int at, double step)
{
    int nubo[2 * SEGMENTS];
    double x[ARRAYS][MOST], sum = 0;
    for (int k = 0; k < ARRAYS; k++)
        for (int i = 0; i < counts[k]; i++)
            x[k][i] = number(31 * k + i) + (k == array && i == at ? step : 0);
    for (int i = 0; i < SEGMENTS; i++) {
        nubo[2 * i] = (5 * i) % NODES;
        nubo[2 * i + 1] = (5 * i + 2) % NODES;
    }
    flw(0, SEGMENTS, nubo, x[T3], x[PRES], x[VNOCL], x[G3], x[G4], x[RH3], x[RH4], x[SQ]);
    for (int k = RH3; k <= SQ; k++)
        for (int i = 0; i < counts[k]; i++)
            sum += number(7 * k + i) * x[k][i];
    return sum;
}

int main(void)
{
    int nubo[2 * SEGMENTS], wrong = 0;
    double x[ARRAYS][MOST], dx[ARRAYS][MOST] = {{0}};
    for (int k = 0; k < ARRAYS; k++)
        for (int i = 0; i < counts[k]; i++) {
            x[k][i] = number(31 * k + i);
            dx[k][i] = k >= RH3 ? number(7 * k + i) : 0;
        }
    for (int i = 0; i < SEGMENTS; i++) {
        nubo[2 * i] = (5 * i) % NODES;
        nubo[2 * i + 1] = (5 * i + 2) % NODES;
    }
    gradient(0, SEGMENTS, nubo, x[T3], dx[T3], x[PRES], dx[PRES], x[VNOCL], dx[VNOCL], x[G3], dx[G3], x[G4], dx[G4],
             x[RH3], dx[RH3], x[RH4], dx[RH4], x[SQ], dx[SQ]);
    for (int k = 0; k < ARRAYS; k++)
        for (int i = 0; i < counts[k]; i++) {
            const double h = 1e-5, expected = (weighted(k, i, h) - weighted(k, i, -h)) / (2 * h);
            if (!(fabs(dx[k][i] - expected) <= 1e-7 * fmax(1, fabs(expected)))) {
                printf("array %d, element %d: %.12g, by differences %.12g\n", k, i, dx[k][i], expected);
                wrong = 1;
            }
        }
    return wrong;
}
