/* A failure handler that leaves the sweep: it sees the figures, jumps out, and the program goes on. */
#include "backsweep_rt.h"
#include "expect.h"
#include <setjmp.h>

#pragma GCC diagnostic ignored "-Winfinite-recursion"

static jmp_buf place;
static int failures;

static void leave(const struct bs_tape_failure *failure) {
    EXPECT(failure->kind == BS_TAPE_FAILURE_LIMIT);
    EXPECT(strcmp(failure->function, "deep") == 0);
    EXPECT(failure->bytes == 8);
    EXPECT(strstr(failure->message, "limit") != NULL && strstr(failure->message, "deep") != NULL);
    failures += 1;
    longjmp(place, 1);
}

static double deep(struct bs_tape_state *tape, double x) {
    bs_tape_push_double(tape, x);
    return deep(tape, x + 1.0) + bs_tape_pop_double(tape);
}

int main(void) {
    struct bs_tape_state *tape = bs_tape_of_thread();
    struct bs_tape_stats stats;
    void *mark = bs_tape_mark(tape);
    EXPECT(bs_tape_set_failure_handler(leave) == NULL);
    for (volatile int round = 0; round < 3; round++) {
        if (setjmp(place) == 0) {
            deep(tape, 0.0);
        }
        bs_tape_stats(tape, &stats);
        EXPECT(stats.current == 10000);
        bs_tape_release(tape, mark, "main");
    }
    EXPECT(failures == 3);
    EXPECT(bs_tape_set_failure_handler(NULL) == leave);
    return 0;
}
