/* The tape's figures: each against its baseline, in one run, as ratios. See bench/tape.sh and docs/runtime.md. */
#define _GNU_SOURCE
#include "backsweep_rt.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

/* Of the processor, the kernel's work for us included: others on the machine take no part. */
static double seconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Of the clock, where waiting for a disk counts. */
static double seconds_of_clock(void) {
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

/* Sorts them, so that the least is the first. */
static double median(double *values, int count) {
    qsort(values, (size_t)count, sizeof *values, by_size);
    return values[count / 2];
}

/* ---- The loops that are compared ----------------------------------------------------------------------- */

/* The value pushed depends on the one before, as in a sweep; so neither loop becomes a memcpy. */
#define NEXT(x) (x) = (x) * 0.999 + 0.5
/* Nothing but the stores and loads: the harshest comparison for bookkeeping. */
#define HIDE(x) __asm__ volatile("" : "+x"(x))
#define HIDE_PLACE(place) __asm__ volatile("" : "+r"(place))

/* The same pair of loops over five stacks: through the state block, through a cursor, in runs, in a block that was pushed
 * for the whole loop, and over an array. */
#define SWEEP(name, LOOP, type, begin, PUSH, turn, POP, end, STEP, SUM)          \
    __attribute__((noinline)) static double name(type place, size_t count) {     \
        double x = 1.0, sum = 0.0;                                               \
        begin;                                                                   \
        LOOP for (size_t i = 0; i < count; i++) {                                \
            STEP(x);                                                             \
            PUSH;                                                                \
        }                                                                        \
        turn;                                                                    \
        LOOP for (size_t i = 0; i < count; i++) {                                \
            double y = POP;                                                      \
            SUM(sum, y);                                                         \
        }                                                                        \
        end;                                                                     \
        return sum;                                                              \
    }
#define ADD(sum, y) (sum) = (y) + 0.5 * (sum)
#define KEEP(sum, y) HIDE(y); (sum) = (y)
#define OVER_STATE(name, STEP, SUM)                                                                    \
    SWEEP(name, BS_TAPE_LOOP, struct bs_tape_state *, (void)0, bs_tape_push_double(place, x), (void)0, \
          bs_tape_pop_double(place), (void)0, STEP, SUM)
#define OVER_CURSOR(name, STEP, SUM)                                                                           \
    SWEEP(name, BS_TAPE_LOOP, struct bs_tape_state *, struct bs_tape_cursor c; bs_tape_open_cursor(&c, place), \
          *(double *)bs_tape_cursor_push(&c, 8) = x, bs_tape_close_cursor(&c);                                 \
          bs_tape_open_cursor(&c, place), *(double *)bs_tape_cursor_pop(&c, 8), bs_tape_close_cursor(&c),      \
          STEP, SUM)
/* Each loop is two: records are pushed and popped one by one within a run, and the tape is asked for the next run. */
#define OVER_RUNS(name, STEP, SUM)                                                           \
    __attribute__((noinline)) static double name(struct bs_tape_state *tape, size_t count) { \
        double x = 1.0, sum = 0.0;                                                           \
        void *place;                                                                         \
        for (size_t left = count, run; left > 0; left -= run) {                              \
            run = bs_tape_push_run(tape, sizeof x, left, &place);                            \
            double *at = place;                                                              \
            BS_TAPE_LOOP for (size_t i = 0; i < run; i++) {                                  \
                STEP(x);                                                                     \
                *at++ = x;                                                                   \
            }                                                                                \
        }                                                                                    \
        for (size_t left = count, run; left > 0; left -= run) {                              \
            run = bs_tape_pop_run(tape, sizeof x, left, &place);                             \
            double *at = place;                                                              \
            BS_TAPE_LOOP for (size_t i = 0; i < run; i++) {                                  \
                double y = *at--;                                                            \
                SUM(sum, y);                                                                 \
            }                                                                                \
        }                                                                                    \
        return sum;                                                                          \
    }
#define OVER_BLOCK(name, STEP, SUM)                                                \
    SWEEP(name, BS_TAPE_LOOP, struct bs_tape_state *,                              \
          double *top = bs_tape_push_block(place, count, 8, 8, #name), *top++ = x, \
          top = (double *)bs_tape_pop_block(place, count, 8, 8, #name) + count, *--top, (void)0, STEP, SUM)
/* The baseline is the fastest of these: as one writes it, with the same hint to unroll it as the others have, and from one end to
 * the other, without a counter beside the pointer. */
#define OVER_ARRAY(name, LOOP, STEP, SUM)                                        \
    SWEEP(name, LOOP, double *, double *top = place, *top++ = x, (void)0, *--top, (void)0, STEP, SUM)
#define OVER_BOUNDS(name, LOOP, STEP, SUM)                                       \
    __attribute__((noinline)) static double name(double *place, size_t count) {  \
        double x = 1.0, sum = 0.0, *top = place, *end = place + count;           \
        HIDE_PLACE(end);                                                         \
        LOOP while (top != end) {                                                \
            STEP(x);                                                             \
            *top++ = x;                                                          \
        }                                                                        \
        HIDE_PLACE(place);                                                       \
        LOOP while (top != place) {                                              \
            double y = *--top;                                                   \
            SUM(sum, y);                                                         \
        }                                                                        \
        return sum;                                                              \
    }
#define AS_IT_IS

OVER_STATE(sweep_state, NEXT, ADD)
OVER_CURSOR(sweep_cursor, NEXT, ADD)
OVER_RUNS(sweep_runs, NEXT, ADD)
OVER_BLOCK(sweep_block, NEXT, ADD)
OVER_ARRAY(sweep_array, AS_IT_IS, NEXT, ADD)
OVER_BOUNDS(sweep_bounds, AS_IT_IS, NEXT, ADD)
OVER_ARRAY(sweep_array_unrolled, BS_TAPE_LOOP, NEXT, ADD)
OVER_BOUNDS(sweep_bounds_unrolled, BS_TAPE_LOOP, NEXT, ADD)
OVER_STATE(bare_state, HIDE, KEEP)
OVER_CURSOR(bare_cursor, HIDE, KEEP)
OVER_RUNS(bare_runs, HIDE, KEEP)
OVER_BLOCK(bare_block, HIDE, KEEP)
OVER_ARRAY(bare_array, AS_IT_IS, HIDE, KEEP)
OVER_BOUNDS(bare_bounds, AS_IT_IS, HIDE, KEEP)
OVER_ARRAY(bare_array_unrolled, BS_TAPE_LOOP, HIDE, KEEP)
OVER_BOUNDS(bare_bounds_unrolled, BS_TAPE_LOOP, HIDE, KEEP)

enum { ROUNDS = 15 };

static volatile double sink;

typedef double (*tape_sweep)(struct bs_tape_state *, size_t);
typedef double (*array_sweep)(double *, size_t);

/* The loops over a tape, under the names they are printed with. */
enum { FORMS = 4 };
static const char *const form_names[FORMS] = {"block", "runs", "cursor", "state block"};
static const tape_sweep sweeps[FORMS] = {sweep_block, sweep_runs, sweep_cursor, sweep_state};
/* The first two without the hint, so that what it brings the bump is seen, too. */
enum { PLAIN = 2, BUMPS = 4 };
static const array_sweep sweep_bumps[BUMPS] = {sweep_array, sweep_bounds, sweep_array_unrolled, sweep_bounds_unrolled};
static const array_sweep bare_bumps[BUMPS] = {bare_array, bare_bounds, bare_array_unrolled, bare_bounds_unrolled};
static const tape_sweep bare[FORMS] = {bare_block, bare_runs, bare_cursor, bare_state};

/* The least of the medians. */
static double fastest(double times[][ROUNDS], int count) {
    double least = median(times[0], ROUNDS);
    for (int which = 1; which < count; which++) {
        double time = median(times[which], ROUNDS);
        least = time < least ? time : least;
    }
    return least;
}

/* Interleaved rounds, medians: the machine's mood falls on all. */
static void compare_push_pop(const char *name, size_t count, const tape_sweep *forms, const array_sweep *bumps) {
    struct bs_tape_state *tape = bs_tape_of_thread();
    double *array = malloc(count * sizeof *array), times[BUMPS + FORMS][ROUNDS];
    size_t repeats = ((size_t)1 << 24) / count;
    memset(array, 1, count * sizeof *array);
    sink = forms[0](tape, count);
    for (int round = 0; round < ROUNDS; round++) {
        for (int which = 0; which < BUMPS + FORMS; which++) {
            double start = seconds();
            for (size_t r = 0; r < repeats; r++) {
                sink = which < BUMPS ? bumps[which](array, count) : forms[which - BUMPS](tape, count);
            }
            times[which][round] = seconds() - start;
        }
    }
    double pairs = (double)(repeats * count) * 1e-9, baseline = fastest(times, BUMPS);
    printf("%-34s bump %.2f ns a pair (%.2f if not unrolled)", name, baseline / pairs, fastest(times, PLAIN) / pairs);
    for (int form = 0; form < FORMS; form++) {
        double time = median(times[BUMPS + form], ROUNDS);
        printf(", %s %.2f ns: %.2fx", form_names[form], time / pairs, time / baseline);
    }
    printf("\n");
    free(array);
}

/* ---- Four gibibytes: against the same loop over malloc'ed memory ---------------------------------------- */

static double fill_and_drain_tape(size_t count, size_t *resident) {
    struct bs_tape_state *tape = bs_tape_of_thread();
    struct bs_tape_cursor cursor;
    double sum = 0.0, start = seconds();
    bs_tape_open_cursor(&cursor, tape);
    for (size_t i = 0; i < count; i++) {
        *(double *)bs_tape_cursor_push(&cursor, sizeof(double)) = (double)i;
    }
    bs_tape_close_cursor(&cursor);
    *resident = resident_bytes();
    bs_tape_open_cursor(&cursor, tape);
    for (size_t i = 0; i < count; i++) {
        sum += *(double *)bs_tape_cursor_pop(&cursor, sizeof(double));
    }
    bs_tape_close_cursor(&cursor);
    sink = sum;
    return seconds() - start;
}

static double fill_and_drain_malloc(size_t count, size_t *resident) {
    double sum = 0.0, start = seconds();
    double *array = malloc(count * sizeof *array), *top = array;
    for (size_t i = 0; i < count; i++) {
        *top++ = (double)i;
    }
    *resident = resident_bytes();
    while (top > array) {
        sum += *--top;
    }
    sink = sum;
    start = seconds() - start;
    free(array);
    return start;
}

/* Both begin on fresh pages in every round; the last lines are about a tape that was kept. Who comes first alternates: a virtual
 * machine gives pages that were free for a while back to its host, and waits for them at the next touch. That wait can be
 * many times the loop's own time, and falls on whom it will, so the least of the rounds stands beside the median. */
static void compare_large(size_t bytes) {
    enum { LARGE_ROUNDS = 9 };
    size_t count = bytes / sizeof(double), with_tape = 0, with_malloc = 0, begin = resident_bytes(), unused;
    double of_array[LARGE_ROUNDS], of_tape[LARGE_ROUNDS], kept, array, tape;
    fill_and_drain_malloc(count, &unused);
    for (int round = 0; round < LARGE_ROUNDS; round++) {
        if (round % 2 == 0) {
            of_array[round] = fill_and_drain_malloc(count, &with_malloc);
        }
        of_tape[round] = fill_and_drain_tape(count, &with_tape);
        if (round + 1 < LARGE_ROUNDS) {
            bs_tape_trim();
        }
        if (round % 2 != 0) {
            of_array[round] = fill_and_drain_malloc(count, &with_malloc);
        }
    }
    kept = fill_and_drain_tape(count, &unused);
    bs_tape_trim();
    array = median(of_array, LARGE_ROUNDS);
    tape = median(of_tape, LARGE_ROUNDS);
    printf("%-34s malloc %.2f s, fresh tape %.2f s: %.2fx (least of the rounds %.2f and %.2f: %.2fx), "
           "kept tape %.2f s: %.2fx\n",
           "fill and drain 4 GiB", array, tape, tape / array, of_array[0], of_tape[0], of_tape[0] / of_array[0], kept,
           kept / array);
    printf("%-34s %.2f %% more than the bytes held (malloc: %.2f %%)\n", "peak resident memory",
           100.0 * ((double)(with_tape - begin) / (double)bytes - 1.0),
           100.0 * ((double)(with_malloc - begin) / (double)bytes - 1.0));
    printf("%-34s %.1f MiB above the start\n", "resident after drain and trim",
           ((double)resident_bytes() - (double)begin) / (1 << 20));
}

/* ---- Equal calls --------------------------------------------------------------------------------------- */

static void gradient_call(size_t megabytes) {
    struct bs_tape_state *tape = bs_tape_of_thread();
    size_t bytes = megabytes << 20;
    memset(bs_tape_push_block(tape, bytes, 1, 64, "gradient_call"), 1, bytes);
    bs_tape_pop_block(tape, bytes, 1, 64, "gradient_call");
    char *split = bs_rt_tape_alloc(bytes, "gradient_call");
    memset(split, 1, bytes);
    bs_rt_tape_free(split);
}

static void compare_calls(void) {
    long before = page_faults(), between, after;
    double start = seconds(), first, second;
    gradient_call(256);
    between = page_faults();
    first = seconds() - start;
    start = seconds();
    gradient_call(256);
    after = page_faults();
    second = seconds() - start;
    printf("%-34s first %ld in %.3f s, second %ld in %.3f s\n", "page faults of two equal calls", between - before,
           first, after - between, second);
    bs_tape_trim();
}

/* ---- Spill: run with BACKSWEEP_TAPE_SPILL and BACKSWEEP_TAPE_RESIDENT ----------------------------------- */

static void spill(size_t cap) {
    struct bs_tape_state *tape = bs_tape_of_thread();
    size_t count = 8 * cap / sizeof(double), most = 0, begin = resident_bytes(), wrong = 0;
    struct bs_tape_stats stats;
    double start = seconds_of_clock(), forward, reverse;
    for (size_t i = 0; i < count; i++) {
        bs_tape_push_double(tape, (double)i);
        if (i % (count / 256) == 0 && resident_bytes() > most) {
            most = resident_bytes();
        }
    }
    forward = seconds_of_clock() - start;
    start = seconds_of_clock();
    for (size_t i = count; i-- > 0;) {
        wrong += bs_tape_pop_double(tape) != (double)i;
        if (i % (count / 256) == 0 && resident_bytes() > most) {
            most = resident_bytes();
        }
    }
    reverse = seconds_of_clock() - start;
    bs_tape_stats(tape, &stats);
    printf("%-34s cap %zu MiB, tape %zu MiB, resident at most %.2f caps, spilled %zu MiB, %zu wrong values, "
           "forward %.2f s, reverse %.2f s\n",
           "eight times the resident cap", cap >> 20, 8 * cap >> 20, (double)(most - begin) / (double)cap,
           stats.spilled >> 20, wrong, forward, reverse);
}

int main(int argc, char **argv) {
    if (argc > 1 && strcmp(argv[1], "spill") == 0) {
        spill((size_t)atol(argv[2]));
        return 0;
    }
    static const struct {
        const char *name;
        size_t count;
    } sizes[] = {{"4 KiB", 512}, {"256 KiB", 32768}, {"64 MiB", 8 << 20}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char name[64];
        snprintf(name, sizeof name, "push+pop in a sweep, %s", sizes[i].name);
        compare_push_pop(name, sizes[i].count, sweeps, sweep_bumps);
        snprintf(name, sizeof name, "push+pop and nothing else, %s", sizes[i].name);
        compare_push_pop(name, sizes[i].count, bare, bare_bumps);
    }
    bs_tape_trim();
    compare_calls();
    compare_large((size_t)4 << 30);
    return 0;
}
