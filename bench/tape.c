/* The tape's figures: each against its baseline, in one run, as ratios. See bench/tape.sh and docs/runtime.md. */
#define _GNU_SOURCE
#include "backsweep_rt.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static size_t resident_bytes(void) {
    size_t size = 0, resident = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL || fscanf(file, "%zu %zu", &size, &resident) != 2) {
        exit(2);
    }
    fclose(file);
    return resident * (size_t)sysconf(_SC_PAGESIZE);
}

static long page_faults(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

static int by_size(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, by_size);
    return values[count / 2];
}

/* ---- The loops that are compared ----------------------------------------------------------------------- */

/* The value pushed depends on the one before, as in a sweep; so neither loop becomes a memcpy. */
__attribute__((noinline)) static double sweep_tape(struct bs_tape_state *tape, size_t count) {
    double x = 1.0, sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        x = x * 0.999 + 0.5;
        bs_tape_push_double(tape, x);
    }
    for (size_t i = 0; i < count; i++) {
        sum = sum * 0.5 + bs_tape_pop_double(tape);
    }
    return sum;
}

__attribute__((noinline)) static double sweep_bump(double *array, size_t count) {
    double x = 1.0, sum = 0.0;
    double *top = array;
    for (size_t i = 0; i < count; i++) {
        x = x * 0.999 + 0.5;
        *top++ = x;
    }
    for (size_t i = 0; i < count; i++) {
        sum = sum * 0.5 + *--top;
    }
    return sum;
}

/* Nothing but the stores and loads: the harshest comparison for bookkeeping. */
__attribute__((noinline)) static double bare_tape(struct bs_tape_state *tape, size_t count, double x) {
    double sum = 0.0;
    for (size_t i = 0; i < count; i++) {
        bs_tape_push_double(tape, x);
        __asm__ volatile("" : "+x"(x));
    }
    for (size_t i = 0; i < count; i++) {
        double y = bs_tape_pop_double(tape);
        __asm__ volatile("" : "+x"(y));
        sum = y;
    }
    return sum;
}

__attribute__((noinline)) static double bare_bump(double *array, size_t count, double x) {
    double sum = 0.0;
    double *top = array;
    for (size_t i = 0; i < count; i++) {
        *top++ = x;
        __asm__ volatile("" : "+x"(x));
    }
    for (size_t i = 0; i < count; i++) {
        double y = *--top;
        __asm__ volatile("" : "+x"(y));
        sum = y;
    }
    return sum;
}

enum { ROUNDS = 15 };

static volatile double sink;

/* Interleaved rounds, medians: the machine's mood falls on both. */
static void compare_push_pop(const char *name, size_t count, int bare) {
    struct bs_tape_state *tape = bs_tape_of_thread();
    double *array = malloc(count * sizeof *array);
    double of_tape[ROUNDS], of_bump[ROUNDS];
    size_t repeats = ((size_t)1 << 24) / count + 1;
    memset(array, 1, count * sizeof *array);
    sink = sweep_tape(tape, count);
    for (int round = 0; round < ROUNDS; round++) {
        double start = seconds();
        for (size_t r = 0; r < repeats; r++) {
            sink = bare ? bare_bump(array, count, 1.0) : sweep_bump(array, count);
        }
        of_bump[round] = seconds() - start;
        start = seconds();
        for (size_t r = 0; r < repeats; r++) {
            sink = bare ? bare_tape(tape, count, 1.0) : sweep_tape(tape, count);
        }
        of_tape[round] = seconds() - start;
    }
    {
        double pairs = (double)(repeats * count) * 1e-9;
        double t = median(of_tape, ROUNDS), b = median(of_bump, ROUNDS);
        printf("%-34s tape %6.2f ns, bump %6.2f ns a pair: %.2fx\n", name, t / pairs, b / pairs, t / b);
    }
    free(array);
}
