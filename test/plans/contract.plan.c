/* Calls with a small interface that are contracted to their partial derivatives: by annotation, by token, and by cost where nobody says
 * anything; and why others are not. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: %opt -passes='print<backsweep-explain>' -disable-output %t.ll 2>&1 | FileCheck --check-prefix=EXPLAIN %s
// RUN: env BACKSWEEP_OPTIONS=disable=contract %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck --check-prefix=OFF %s
// RUN: env BACKSWEEP_OPTIONS=disable=preaccumulate %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2>&1 | FileCheck --check-prefix=OFF %s
#include <math.h>

#include "backsweep.h"

#define NEWTON(f)                                                                                                      \
    static double f(double a, double c)                                                                                \
    {                                                                                                                  \
        double y = a;                                                                                                  \
        for (int i = 0; i < 60; i++) {                                                                                 \
            const double d = (y + c * y * y * y - a) / (1 + 3 * c * y * y);                                            \
            y -= d;                                                                                                    \
            if (fabs(d) < 1e-14)                                                                                       \
                break;                                                                                                 \
        }                                                                                                              \
        return y;                                                                                                      \
    }
#define STEPS(f, root)                                                                                                 \
    static double f(double *u, double *k, int n)                                                                       \
    {                                                                                                                  \
        double sum = 0;                                                                                                \
        for (int t = 0; t < 1000; t++)                                                                                 \
            for (int i = 0; i < n; i++)                                                                                \
                u[i] = root(u[i] + 0.1 * u[(i + 1) % n], k[i]);                                                        \
        for (int i = 0; i < n; i++)                                                                                    \
            sum += u[i];                                                                                               \
        return sum;                                                                                                    \
    }

/* What the user says of the function, and of the calls under one hook. */
// OFF-NOT: contracted, %
// OFF: it should be contracted, and it cannot: that is switched off
// OFF-NOT: contracted, %
// CHECK-LABEL: plan gradient backsweep.primal.by_annotation
// CHECK: [[END:%[0-9]+]]: contracted, {{%[0-9]+}} calls gradient marked (out, out) width 1 primal contracted; its gradient runs at once
// CHECK: [[END]]: active
// CHECK-NOT: calls reverse marked
// CHECK-LABEL: plan gradient marked (out, out) width 1 primal contracted
// CHECK: returns primal, gradient 0 of %0, gradient 0 of %1
// EXPLAIN: the result of `marked`{{.*}}its partial derivatives are what is kept of it: 2 numbers a call
__attribute__((annotate("backsweep_contract"))) NEWTON(marked)
STEPS(by_annotation, marked)

// CHECK-LABEL: plan gradient backsweep.primal.by_token
// CHECK: contracted, {{%[0-9]+}} calls gradient named (out, const) width 1 primal contracted; its gradient
NEWTON(named)
STEPS(by_token, named)

/* What nobody says anything of. */
// CHECK-LABEL: plan gradient backsweep.primal.by_cost
// CHECK: contracted, {{%[0-9]+}} calls gradient plain (out, out) width 1 primal contracted; by cost, its gradient runs at once, {{.*}}: {{[0-9]+}} bytes on the tape in place of {{[0-9]+}}, if loops go round 16 times
NEWTON(plain)
STEPS(by_cost, plain)

/* What is reversed as soon as it has run leaves nothing that would be worth it, nor does what goes round as often as is written out. */
// CHECK-LABEL: plan gradient backsweep.primal.at_once
// CHECK-NOT: contracted
static double at_once(double *u, double *k, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += sin(plain(u[i], k[i]));
    return sum;
}

// CHECK-LABEL: plan gradient backsweep.primal.short_loop
// CHECK-NOT: contracted
static double cubes(double a, double c)
{
    for (int i = 0; i < 3; i++)
        a = a * c + 1 / a;
    return a;
}
STEPS(short_loop, cubes)

/* As told. */
// CHECK-LABEL: plan gradient backsweep.primal.inlined
// CHECK-NOT: contracted
__attribute__((annotate("backsweep_inline"))) NEWTON(within)
STEPS(inlined, within)

// CHECK-LABEL: plan gradient backsweep.primal.refused
// CHECK: calls reverse leaves {{.*}}; it should be contracted, and it cannot: it is handed active memory
// CHECK: calls reverse counts {{.*}}; it should be contracted, and it cannot:
// CHECK: calls reverse again {{.*}}; it should be contracted, and it cannot: it calls itself
// CHECK: calls reverse many {{.*}}; it should be contracted, and it cannot: 5 arguments are active, and 4 may be
// EXPLAIN: it should be contracted, and it cannot: it calls itself
#define CONTRACT __attribute__((annotate("backsweep_contract")))
static int count;
CONTRACT static double leaves(double a, double *memory)
{
    for (int i = 0; i < 14; i++)
        memory[0] = a = sin(a);
    return a;
}
CONTRACT static double counts(double a)
{
    for (int i = 0; i < 14; i++, count++)
        a = sin(a) * count;
    return a;
}
CONTRACT static double again(double a, int n) { return n ? 0.9 * again(sin(a), n - 1) + a : a; }
CONTRACT static double many(double a, double b, double c, double d, double e)
{
    for (int i = 0; i < 14; i++)
        a = sin(a * b) + c * d - e * a;
    return a;
}
static double refused(double *u, double *k, int n)
{
    double s = 1;
    for (int i = 0; i < n; i++)
        s = many(again(counts(leaves(s, &u[i])), n), k[i], u[i], s * s, k[i] * u[i]);
    return s;
}

void all(double *u, double *du, double *k, double *dk, int n)
{
    __backsweep_gradient((void *)by_annotation, u, du, k, dk, n);
    __backsweep_gradient((void *)by_token, bs_contract, (void *)named, u, du, bs_const, k, n);
    __backsweep_gradient((void *)by_cost, u, du, k, dk, n);
    __backsweep_gradient((void *)at_once, u, du, k, dk, n);
    __backsweep_gradient((void *)short_loop, u, du, k, dk, n);
    __backsweep_gradient((void *)inlined, u, du, k, dk, n);
    __backsweep_gradient((void *)refused, u, du, k, dk, n);
}
