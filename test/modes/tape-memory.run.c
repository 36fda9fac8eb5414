/* What a gradient's tape does with memory: the second of two equal calls takes no page faults, a trim gives everything
 * back, a tape of eight times the cap goes through the spill file, and the figures are printed at exit. */
// RUN: %clang -O0 %include %pass %s -o %t.0 %runtime
// RUN: %clang -O3 %include %pass %s -o %t.3 -L%release -lbacksweep_rt -Wl,-rpath,%release -lm
// RUN: rm -rf %t.spill && mkdir %t.spill
// RUN: for program in %t.0 %t.3; do \
// RUN:   $program kept && env BACKSWEEP_TAPE_RESERVE=0 $program kept || exit 1; \
// RUN:   env BACKSWEEP_TAPE_STATS=1 BACKSWEEP_TAPE_SPILL=%t.spill BACKSWEEP_TAPE_RESIDENT=4M $program 2>%t.log || exit 1; \
// RUN:   FileCheck %s <%t.log || exit 1; \
// RUN:   test -z "$(ls -A %t.spill)" || exit 1; \
// RUN: done
// CHECK: backsweep tape: peak 335544{{[0-9][0-9]}} bytes, total 335544{{[0-9][0-9]}} bytes, spilled {{[23][0-9]+}} bytes
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

#include "backsweep.h"
#include "backsweep_rt.h"

enum { N = 4 << 20, CAP = 4 << 20 };

static int failures;

static void expect(int right, const char *what) {
    if (!right) {
        printf("wrong: %s\n", what);
        failures++;
    }
}

/* A value of 8 bytes for each turn, since nobody knows how many there are. */
static double settle(const double *x, int n) {
    double y = 0.5, sum = 0;
    for (int i = 0; i < n && y > 0; i++) {
        y = y * y * x[i & 7] + 0.25;
        sum += y;
    }
    return sum;
}

static long faults(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

static size_t resident(void) {
    size_t size = 0, pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    expect(file && fscanf(file, "%zu %zu", &size, &pages) == 2, "the system tells the memory");
    if (file) fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

/* The same derivative by a chain that is written out. */
static void differentiate(const double *x, double *dx) {
    double *y = malloc((N + 1) * sizeof *y), bar = 0;
    y[0] = 0.5;
    for (int i = 0; i < N; i++) y[i + 1] = y[i] * y[i] * x[i & 7] + 0.25;
    for (int i = N; i-- > 0;) {
        bar += 1;
        dx[i & 7] += bar * y[i] * y[i];
        bar *= 2 * y[i] * x[i & 7];
    }
    free(y);
}

static void check(const double *dx, const double *right, const char *what) {
    for (int i = 0; i < 8; i++) expect(fabs(dx[i] - right[i]) <= 1e-13 * fabs(right[i]), what);
}

int main(int argc, char **argv) {
    static double x[8], right[8], first[8], second[8];
    for (int i = 0; i < 8; i++) x[i] = 0.9 + 0.01 * i;
    differentiate(x, right);
    size_t start = resident();
    __backsweep_gradient_void((void *)settle, bs_dup, x, first, N);
    check(first, right, "the first call's derivative");
    if (argc == 1 || !argv[1]) {
        expect(resident() < start + 3 * (size_t)CAP, "what is beyond the cap is in the file");
        return failures;
    }
    expect(resident() > start + 8 * (size_t)N, "the tape is kept");
    long before = faults();
    __backsweep_gradient_void((void *)settle, bs_dup, x, second, N);
    expect(faults() == before, "no page fault in the second call");
    check(second, right, "the second call's derivative");
    bs_tape_trim();
    expect(resident() < start + (2 << 20), "a trim gives the memory back");
    return failures;
}
