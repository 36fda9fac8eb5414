/* One bad use per argument; each must end in one message and status 70. */
#define _GNU_SOURCE
#include "backsweep_rt.h"
#include "expect.h"
#include <pthread.h>
#include <stdint.h>

#pragma GCC diagnostic ignored "-Winfinite-recursion"

static void *push_there(void *tape) {
    bs_tape_push_double(tape, 1.0);
    return NULL;
}

static void *mark_there(void *tape) {
    return bs_tape_mark(tape);
}

static void in_a_thread(void *(*body)(void *), void *argument) {
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, body, argument) == 0);
    pthread_join(thread, NULL);
}

static double recurse(struct bs_tape_state *tape, double x) {
    bs_tape_push_double(tape, x);
    return recurse(tape, x + 1.0) + bs_tape_pop_double(tape);
}

static void pop_what_was_pushed_elsewhere(struct bs_tape_state *tape) {
    bs_tape_pop(tape, 16);
}

int main(int argc, char **argv) {
    struct bs_tape_state *tape = bs_tape_of_thread(), *object = bs_tape_new();
    const char *what = argc > 1 ? argv[1] : "";
    printf("printed before\n");
    if (strcmp(what, "unmatched-pop") == 0) {
        bs_tape_push_double(tape, 1.0);
        bs_tape_pop(tape, 16);
    } else if (strcmp(what, "pop-of-nothing") == 0) {
        bs_tape_pop_double(object);
    } else if (strcmp(what, "order") == 0) {
        bs_tape_push_double(tape, 1.0);
        bs_tape_push_double(tape, 1.0);
        pop_what_was_pushed_elsewhere(tape);
    } else if (strcmp(what, "kind") == 0) {
        bs_tape_push_double(tape, 1.0);
        bs_tape_pop_block(tape, 1, 8, 8, "other");
    } else if (strcmp(what, "corrupt") == 0) {
        char *record = bs_tape_push(tape, 16);
        memset(record, 7, 24);
        bs_tape_pop(tape, 16);
    } else if (strcmp(what, "double-free") == 0) {
        void *split = bs_rt_tape_alloc(100, "loss");
        bs_rt_tape_free(split);
        bs_rt_tape_free(split);
    } else if (strcmp(what, "reverse-twice") == 0) {
        void *split = bs_rt_tape_alloc(100, "loss");
        bs_rt_tape_check(split, 100, "loss");
        bs_rt_tape_free(split);
        bs_rt_tape_check(split, 100, "loss");
    } else if (strcmp(what, "reverse-of-nothing") == 0) {
        bs_rt_tape_check(NULL, 100, "loss");
    } else if (strcmp(what, "tape-of-another") == 0) {
        bs_rt_tape_check(bs_rt_tape_alloc(40, "loss"), 40, "other");
    } else if (strcmp(what, "tape-of-another-size") == 0) {
        bs_rt_tape_check(bs_rt_tape_alloc(40, "loss"), 48, "loss");
    } else if (strcmp(what, "spoiled") == 0) {
        void *split = bs_rt_tape_alloc(40, "loss"), *other = bs_rt_tape_alloc(40, "loss");
        bs_rt_tape_spoil(NULL);
        bs_rt_tape_spoil(other);
        bs_rt_tape_free(other);
        bs_rt_tape_spoil(split);
        bs_rt_tape_check(split, 40, "loss");
    } else if (strcmp(what, "spoiled-twice") == 0) {
        void *split = bs_rt_tape_alloc(40, "loss");
        bs_rt_tape_spoil(split);
        bs_rt_tape_free(split);
        bs_rt_tape_free(split);
    } else if (strcmp(what, "owned-object") == 0) {
        void *split = bs_rt_tape_alloc(40, "loss");
        bs_rt_tape_own(split, object);
        bs_rt_tape_free(split);
        bs_tape_free(object, "main");
    } else if (strcmp(what, "double-free-large") == 0) {
        void *split = bs_rt_tape_alloc(10000000, "loss");
        bs_rt_tape_free(split);
        bs_rt_tape_free(bs_rt_tape_alloc(10000000, "other"));
        bs_rt_tape_free(split);
    } else if (strcmp(what, "stray-free") == 0) {
        bs_rt_tape_free((void *)(size_t)65536);
    } else if (strcmp(what, "double-free-object") == 0) {
        bs_tape_free(object, "first");
        bs_tape_free(object, "second");
    } else if (strcmp(what, "free-of-stack") == 0) {
        bs_tape_free(tape, "main");
    } else if (strcmp(what, "wrong-thread") == 0) {
        in_a_thread(push_there, tape);
    } else if (strcmp(what, "wrong-thread-call") == 0) {
        in_a_thread(mark_there, tape);
    } else if (strcmp(what, "bad-mark") == 0) {
        void *mark;
        bs_tape_push_double(tape, 1.0);
        mark = bs_tape_mark(tape);
        bs_tape_pop_double(tape);
        bs_tape_release(tape, mark, "main");
    } else if (strcmp(what, "mark-in-record") == 0) {
        char *record = bs_tape_push(tape, 64);
        bs_tape_release(tape, record + 16, "main");
    } else if (strcmp(what, "abi") == 0) {
        bs_rt_check_abi(BS_RT_ABI + 1, "a library");
    } else if (strcmp(what, "huge") == 0) {
        bs_tape_push(tape, SIZE_MAX - 3);
    } else if (strcmp(what, "huge-block") == 0) {
        bs_tape_push_block(tape, SIZE_MAX / 8, 16, 64, "main");
    } else if (strcmp(what, "alignment") == 0) {
        bs_tape_push_block(tape, 1, 16, 24, "main");
    } else if (strcmp(what, "limit") == 0) {
        recurse(tape, 0.0);
    } else if (strcmp(what, "limit-cursor") == 0) {
        struct bs_tape_cursor cursor;
        bs_tape_open_cursor(&cursor, tape);
        for (;;) {
            *(double *)bs_tape_cursor_push(&cursor, sizeof(double)) = 1.0;
        }
    } else if (strcmp(what, "limit-split") == 0) {
        bs_rt_tape_free(bs_rt_tape_alloc(60000, "loss"));
        void *first = bs_rt_tape_alloc(60000, "loss");
        bs_rt_tape_alloc(60000, "loss");
        bs_rt_tape_free(first);
    } else if (strcmp(what, "fill") == 0) {
        for (long i = 0;; i++) {
            bs_tape_push_double(tape, (double)i);
        }
    } else if (strcmp(what, "block") == 0) {
        memset(bs_tape_push_block(tape, (size_t)atol(argv[2]), 1, 64, "block"), 1, (size_t)atol(argv[2]));
    } else if (strcmp(what, "split") == 0) {
        memset(bs_rt_tape_alloc((size_t)atol(argv[2]), "loss"), 1, (size_t)atol(argv[2]));
    }
    printf("went on\n");
    return 0;
}
