/* Tape objects: many at once, any order, moved between threads, freed without having been consumed. */
#include "backsweep_rt.h"
#include "expect.h"
#include <pthread.h>
#include <stdlib.h>

enum { TAPES = 200, VALUES = 3000 };

static void fill(struct bs_tape_state *tape, int seed) {
    for (int i = 0; i < VALUES; i++) {
        bs_tape_push_double(tape, seed + i * 0.25);
    }
}

static void *drain(void *argument) {
    struct bs_tape_state *tape = argument;
    double seed = bs_tape_pop_double(tape) - (VALUES - 1) * 0.25;
    for (int i = VALUES - 1; i-- > 0;) {
        EXPECT(bs_tape_pop_double(tape) == seed + i * 0.25);
    }
    return tape;
}

static void growing(void) {
    struct bs_tape_state *tapes[TAPES];
    for (int i = 0; i < TAPES; i++) {
        tapes[i] = bs_tape_new();
        fill(tapes[i], i);
    }
    for (int i = 0; i < TAPES; i += 3) {
        bs_tape_free(tapes[i], "growing");
    }
    for (int i = 1; i < TAPES; i += 3) {
        pthread_t thread;
        EXPECT(pthread_create(&thread, NULL, drain, tapes[i]) == 0);
        EXPECT(pthread_join(thread, NULL) == 0);
        bs_tape_free(tapes[i], "growing");
    }
    for (int i = TAPES - 1; i >= 0; i--) {
        if (i % 3 == 2) {
            bs_tape_free(drain(tapes[i]), "growing");
        }
    }
    bs_tape_free(NULL, "growing");
}

static void *free_there(void *tape) {
    bs_rt_tape_free(tape);
    return NULL;
}

static void fixed(void) {
    static const size_t sizes[] = {0, 1, 64, 1000, 100000, 262144, 1000000, 50000000};
    enum { COUNT = sizeof sizes / sizeof *sizes };
    char *tapes[COUNT];
    struct bs_tape_stats before, during, after;
    size_t sum = 0;
    bs_tape_stats(NULL, &before);
    for (int i = 0; i < COUNT; i++) {
        tapes[i] = bs_rt_tape_alloc(sizes[i], "fixed");
        EXPECT(tapes[i] != NULL && (size_t)tapes[i] % 64 == 0);
        memset(tapes[i], i, sizes[i]);
        sum += sizes[i];
    }
    bs_tape_stats(NULL, &during);
    EXPECT(during.current - before.current == sum && during.pushes - before.pushes == COUNT);
    for (int i = 0; i < COUNT; i++) {
        EXPECT(sizes[i] == 0 || (tapes[i][0] == i && tapes[i][sizes[i] - 1] == i));
        pthread_t thread;
        EXPECT(pthread_create(&thread, NULL, free_there, tapes[i]) == 0);
        EXPECT(pthread_join(thread, NULL) == 0);
    }
    bs_rt_tape_free(NULL);
    bs_tape_stats(NULL, &after);
    EXPECT(after.current == before.current && after.peak >= before.current + sum);
}

/* A split-mode tape takes the records of its sweep with it, consumed or not. */
static void owned(void) {
    struct bs_tape_stats before, after;
    bs_tape_stats(NULL, &before);
    for (int i = 0; i < TAPES; i++) {
        void *split = bs_rt_tape_alloc(48, "owned");
        struct bs_tape_state *records = bs_tape_new();
        bs_rt_tape_own(split, records);
        fill(records, i);
        bs_rt_tape_check(split, 48, "owned");
        if (i % 2 == 0) {
            drain(records);
        }
        bs_rt_tape_free(split);
    }
    bs_tape_stats(NULL, &after);
    EXPECT(after.current == before.current);
}

static _Thread_local int released;

static void release(void *memory) {
    released++;
    free(memory);
}

static void release_sized(void *memory, size_t size, size_t align) {
    EXPECT(size == 24 && align == 8);
    release(memory);
}

/* Another thread ends the tape: what waits on its list is freed there. */
static void *end_split(void *split) {
    bs_rt_tape_free(split);
    EXPECT(released == 3);
    return NULL;
}

/* A thread that ends with an open list. */
static void *leave_open(void *unused) {
    struct bs_tape_state *tape = bs_tape_of_thread();
    EXPECT(bs_rt_put_off_open(tape, "leave_open") == 0);
    bs_rt_put_off(tape, malloc(8), free, bs_rt_lasting_shadow(1, 8), "leave_open");
    return unused;
}

/* What is put off waits for the end of its own list, on whatever thread that comes; a leak checker sees the rest. */
static void put_off(void) {
    struct bs_tape_state *tape = bs_tape_of_thread(), *records = bs_tape_new();
    void *split = bs_rt_tape_alloc(16, "put_off");
    double of_user[2] = {0, 0};
    pthread_t thread;
    size_t outer = bs_rt_put_off_open(tape, "put_off"), inner;
    bs_rt_tape_own(split, records);
    bs_rt_put_off(tape, malloc(8), release, bs_rt_lasting_shadow(1, 8), "put_off");
    inner = bs_rt_put_off_open(tape, "put_off");
    bs_rt_put_off(tape, malloc(8), release, of_user, "put_off");
    bs_rt_put_off(records, malloc(8), release, NULL, "put_off");
    bs_rt_put_off(records, NULL, release, bs_rt_lasting_shadow(3, 8), "put_off");
    bs_rt_put_off(records, calloc(1, 8), release, NULL, "put_off");
    bs_rt_put_off_sized(records, malloc(24), release_sized, 24, 8, NULL, "put_off");
    EXPECT(released == 0);
    bs_rt_put_off_close(tape, inner, "put_off");
    EXPECT(released == 1);
    bs_rt_put_off_close(tape, outer, "put_off");
    EXPECT(released == 2);
    EXPECT(pthread_create(&thread, NULL, end_split, split) == 0 && pthread_join(thread, NULL) == 0);
    EXPECT(pthread_create(&thread, NULL, leave_open, NULL) == 0 && pthread_join(thread, NULL) == 0);
    EXPECT(released == 2);
}

int main(void) {
    growing();
    owned();
    put_off();
    fixed();
    bs_tape_trim();
    return 0;
}
