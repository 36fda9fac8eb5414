/* Split mode used badly: one message that names the function, and status 70, in every kind of run. */
// RUN: %clang -O0 %include %pass %s -o %t.0 %runtime
// RUN: %clang -O3 %include %pass %s -o %t.3 -L%release -lbacksweep_rt -Wl,-rpath,%release -lm
// RUN: for run in "%t.0" "%t.3" "env BACKSWEEP_TAPE_CHECK=1 %t.0" "env BACKSWEEP_TAPE_RESERVE=0 %t.3"; do \
// RUN:   for use in twice freed other none deep; do timeout 60 $run $use 2>&1 >%t.out; echo "$use: status $?"; done; done >%t.log
// RUN: FileCheck %s <%t.log
// RUN: test "$(grep -c 'status 70' %t.log)" = 16 && test "$(grep -c 'status 0' %t.log)" = 4 && test "$(wc -l <%t.log)" = 36
// RUN: not env BACKSWEEP_TAPE_LIMIT=100000 %t.0 deep 2>&1 | FileCheck --check-prefix=LIMIT %s
// RUN: not env BACKSWEEP_TAPE_LIMIT=100000 %t.3 deep 2>&1 | FileCheck --check-prefix=LIMIT %s
// CHECK: use after free: 'product' sweeps back over the tape at 0x{{.*}}, which is not live
// CHECK-NEXT: twice: status 70
// CHECK-NEXT: use after free: 'product' sweeps back over the tape at 0x{{.*}}, which is not live
// CHECK-NEXT: freed: status 70
// CHECK-NEXT: wrong order: 'chain' sweeps back over {{[0-9]+}} bytes, but the tape at 0x{{.*}} has {{[0-9]+}} bytes of 'product'
// CHECK-NEXT: other: status 70
// CHECK-NEXT: use after free: 'product' sweeps back over the tape at 0x0, which is not live
// CHECK-NEXT: none: status 70
// CHECK-NEXT: deep: status 0
// LIMIT: backsweep tape: limit of 100000 bytes (BACKSWEEP_TAPE_LIMIT) reached: '{{[a-z]+}}' asked for {{[0-9]+}} bytes while {{[0-9]+}} are held [BS201]
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"
#include "backsweep_rt.h"

enum { N = 100 };

static double product(const double *x, int n) {
    double p = 1;
    for (int i = 0; i < n && p < 1e100; i++) p = p * x[i] + 1e-3 * p * p;
    return p;
}

static double chain(const double *x, int n) {
    double y = 1;
    for (int i = 0; i < n; i++) y = sin(y * x[i]);
    return y;
}

/* Not a tail call, so each level holds what its reverse needs. */
__attribute__((noinline)) static double deep(double x, int levels) {
    return levels == 0 ? x : sin(x * deep(x * 1.0001, levels - 1));
}

int main(int argc, char **argv) {
    static double x[N], dx[N];
    const char *use = argc > 1 ? argv[1] : "";
    for (int i = 0; i < N; i++) x[i] = 1 + 1e-3 * i;
    if (strcmp(use, "deep") == 0) return !isfinite(__backsweep_gradient((void *)deep, 0.5, 20000));
    void *tape = __backsweep_augmented((void *)product, bs_dup, x, dx, N);
    if (strcmp(use, "twice") == 0) __backsweep_reverse_void((void *)product, bs_dup, x, dx, N, 1.0, tape);
    if (strcmp(use, "freed") == 0) bs_rt_tape_free(tape);
    if (strcmp(use, "none") == 0) tape = 0;
    if (strcmp(use, "other") == 0) __backsweep_reverse_void((void *)chain, bs_dup, x, dx, N, 1.0, tape);
    __backsweep_reverse_void((void *)product, bs_dup, x, dx, N, 1.0, tape);
    return 0;
}
