/* The example of the adjoint data-flow paper (figure 1.2): what its derivative does not compute, save or read. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-activity>' -disable-output %t.ll 2> %t.activity
// RUN: %opt -passes='print<backsweep-liveness>' -disable-output %t.ll 2> %t.liveness
// RUN: %opt -passes='print<backsweep-tbr>' -disable-output %t.ll 2> %t.tbr
// RUN: %opt -passes='print<backsweep-write>' -disable-output %t.ll 2> %t.write
// RUN: FileCheck --check-prefix=ACTIVE %s < %t.activity
// RUN: FileCheck --check-prefix=LIVE %s < %t.liveness
// RUN: FileCheck --check-prefix=TBR %s < %t.tbr
// RUN: FileCheck --check-prefix=WRITE %s < %t.write
#include <math.h>

#include "backsweep.h"

static void ck(double pm, double *restrict sq);

// clang-format off
// ACTIVE-LABEL: activity of @backsweep.primal.flw
// LIVE-LABEL: liveness of @backsweep.primal.flw: keeps
// TBR-LABEL: tbr of @backsweep.primal.flw
// WRITE-LABEL: write of @backsweep.primal.flw
// WRITE-NEXT: snapshot for {{.*}} @ck: nothing
static void flw(int nsg1, int nsg2, const int *restrict nubo, const double *restrict t3,
                const double *restrict pres, const double *restrict vnocl, const double *restrict g3,
                const double *restrict g4, double *restrict rh3, double *restrict rh4, double *restrict sq) {
    for (int iseg = nsg1; iseg < nsg2; iseg++) { // LIVE: icmp slt {{.*}} at 0:[[#@LINE]]:{{.*}} ; live
                                                 // TBR: phi {{.*}} at 0:[[#@LINE-1]]:{{.*}} ; saves its last value
        int is1 = nubo[2 * iseg];                // ACTIVE: load {{.*}} at 0:[[#@LINE]]:{{.*}} ; inactive
        int is2 = nubo[2 * iseg + 1];            // LIVE: load {{.*}} at 0:[[#@LINE]]:{{.*}} ; live
        double v = vnocl[2 * iseg + 1];          // TBR: load {{.*}} at 0:[[#@LINE]]:{{.*}} ; reads {{%[0-9]+}}, saves nothing
        double qsor = t3[is1] * v;               // ACTIVE: fmul {{.*}} at 0:[[#@LINE]]:{{.*}} ; active
                                                 // LIVE: fmul {{.*}} at 0:[[#@LINE-1]]:{{.*}} ; live
                                                 // TBR: [[QSOR:%[0-9]+]]: double = fmul {{.*}} at 0:[[#@LINE-2]]:
        double qs = t3[is2] * v;                 // LIVE: fmul {{.*}} at 0:[[#@LINE]]:{{.*}} ; live
        double dplim = qsor * g4[is1];           // LIVE: fmul {{.*}} at 0:[[#@LINE]]:{{.*}} ; dead
                                                 // TBR: fmul {{.*}} at 0:[[#@LINE-1]]:{{.*}} ; reads {{.*}}[[QSOR]],{{.*}}, does not run
        dplim += qs * g4[is2];                   // TBR: llvm.fmuladd{{.*}} at 0:[[#@LINE]]:{{.*}}, does not run
        rh4[is1] += dplim;                       // ACTIVE: store {{.*}} at 0:[[#@LINE]]:{{.*}} ; active
                                                 // LIVE: load {{.*}} at 0:[[#@LINE-1]]:{{.*}} ; dead
                                                 // LIVE: fadd {{.*}} at 0:[[#@LINE-2]]:{{.*}} ; dead
                                                 // LIVE: store {{.*}} at 0:[[#@LINE-3]]:{{.*}} ; dead
                                                 // WRITE: store {{.*}} at 0:[[#@LINE-4]]:{{.*}} ; does not run
        rh4[is2] -= dplim;                       // LIVE: store {{.*}} at 0:[[#@LINE]]:{{.*}} ; dead
        double pm = pres[is1] + pres[is2];       // LIVE: fadd {{.*}} at 0:[[#@LINE]]:{{.*}} ; live
        dplim = qsor * g3[is1] + qs * g3[is2];   // LIVE: fmul {{.*}} at 0:[[#@LINE]]:{{.*}} ; dead
        dplim += pm * v;                         // LIVE: llvm.fmuladd{{.*}} at 0:[[#@LINE]]:{{.*}} ; dead
        rh3[is1] += dplim;                       // LIVE: store {{.*}} at 0:[[#@LINE]]:{{.*}} ; dead
                                                 // TBR: store {{.*}} at 0:[[#@LINE-1]]:{{.*}}, does not run
        rh3[is2] -= dplim;                       // WRITE: store {{.*}} at 0:[[#@LINE]]:{{.*}} ; does not run
        ck(pm, sq);                              // ACTIVE: call @ck{{.*}} at 0:[[#@LINE]]:{{.*}} ; active
                                                 // LIVE: call @ck{{.*}} at 0:[[#@LINE-1]]:{{.*}} ; dead
                                                 // TBR: call @ck{{.*}} at 0:[[#@LINE-2]]:{{.*}} ; reads {{%[0-9]+}}, does not run
                                                 // WRITE: call @ck{{.*}} at 0:[[#@LINE-3]]:{{.*}} ; overwrites nothing
    }
}
// Neither rh3 (%8), rh4 (%9) nor sq (%10) is read; the derivative leaves memory as it was.
// LIVE: needs on entry: {{.*}}*%2+0 mod 4, *%3+0 mod 8, *%4+0 mod 8, *%5+0 mod 8, *%6+0 mod 8, *%7+0 mod 8{{$}}
// WRITE: leaves overwritten: nothing

// LIVE-LABEL: liveness of @ck: keeps nothing
__attribute__((noinline)) static void ck(double pm, double *restrict sq) {
    *sq += pm * pm * sin(pm); // LIVE: call @sin{{.*}} at 0:[[#@LINE]]:{{.*}} ; live
                              // LIVE: store {{.*}} at 0:[[#@LINE-1]]:{{.*}} ; dead
}

void gradient(int nsg1, int nsg2, const int *nubo, double *t3, double *dt3, double *pres, double *dpres,
              double *vnocl, double *dvnocl, double *g3, double *dg3, double *g4, double *dg4, double *rh3, double *drh3,
              double *rh4, double *drh4, double *sq, double *dsq) {
    __backsweep_gradient((void *)flw, bs_const, nsg1, bs_const, nsg2, bs_const, nubo, bs_dup_noneed, t3, dt3,
                         bs_dup_noneed, pres, dpres, bs_dup_noneed, vnocl, dvnocl, bs_dup_noneed, g3, dg3, bs_dup_noneed,
                         g4, dg4, bs_dup_noneed, rh3, drh3, bs_dup_noneed, rh4, drh4, bs_dup_noneed, sq, dsq);
}
