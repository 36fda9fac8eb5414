/* Threads created and ended all the time; each has a tape of its own and leaves nothing behind. */
#define _GNU_SOURCE
#include "backsweep_rt.h"
#include "expect.h"
#include <pthread.h>
#include <unistd.h>

enum { WAVES = 12, THREADS = 16, VALUES = 20000 };

static pthread_key_t late_key;

/* Runs after the tape's own destructor, and uses a tape again. */
static void use_tape_late(void *unused) {
    (void)unused;
    struct bs_tape_state *tape = bs_tape_of_thread();
    bs_tape_push_double(tape, 4.0);
    EXPECT(bs_tape_pop_double(tape) == 4.0);
}

static void *sweep(void *argument) {
    struct bs_tape_state *tape = bs_tape_of_thread();
    double seed = (double)(size_t)argument;
    EXPECT(pthread_setspecific(late_key, tape) == 0);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < VALUES; i++) {
            bs_tape_push_double(tape, seed + i);
        }
        double *block = bs_tape_push_block(tape, 10000, sizeof *block, 64, "sweep");
        block[9999] = seed;
        EXPECT(((double *)bs_tape_pop_block(tape, 10000, sizeof *block, 64, "sweep"))[9999] == seed);
        for (int i = VALUES; i-- > 0;) {
            EXPECT(bs_tape_pop_double(tape) == seed + i);
        }
    }
    /* Left unconsumed on purpose: the end of the thread must free it. */
    bs_tape_push_double(tape, seed);
    EXPECT(bs_tape_of_thread() == tape);
    return NULL;
}

static size_t mapped_pages(void) {
    size_t size = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    EXPECT(file != NULL && fscanf(file, "%zu", &size) == 1);
    fclose(file);
    return size;
}

static void wave(void) {
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        EXPECT(pthread_create(&threads[i], NULL, sweep, (void *)i) == 0);
    }
    struct bs_tape_stats during;
    bs_tape_stats(NULL, &during);
    for (size_t i = 0; i < THREADS; i++) {
        EXPECT(pthread_join(threads[i], NULL) == 0);
    }
}

int main(void) {
    struct bs_tape_stats stats;
    size_t before;
    EXPECT(pthread_key_create(&late_key, use_tape_late) == 0);
    wave();
    before = mapped_pages();
    for (int i = 1; i < WAVES; i++) {
        wave();
    }
    /* Addresses too: a reservation that stays would show here at once. Allocators keep some arenas. */
    EXPECT(mapped_pages() < before + (((size_t)1 << 30) / (size_t)sysconf(_SC_PAGESIZE)));
    bs_tape_stats(NULL, &stats);
    EXPECT(stats.current == 0);
    EXPECT(stats.total >= (size_t)WAVES * THREADS * 3 * (VALUES + 10000) * sizeof(double));
    EXPECT(stats.peak >= (VALUES + 10000) * sizeof(double));
    EXPECT(stats.peak <= 2 * (size_t)THREADS * (VALUES + 11000) * 5 * sizeof(double));
    return 0;
}
