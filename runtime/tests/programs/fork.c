/* After a fork, in the middle of a sweep, both processes have tapes of their own. */
#define _GNU_SOURCE
#include "backsweep_rt.h"
#include "expect.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { VALUES = 400000, SPLIT = 2 << 20 };

static pthread_barrier_t barrier;

static void *bystander(void *unused) {
    struct bs_tape_state *tape = bs_tape_of_thread();
    bs_tape_push_block(tape, 1000, 100, 8, "bystander");
    pthread_barrier_wait(&barrier);
    pthread_barrier_wait(&barrier);
    bs_tape_pop_block(tape, 1000, 100, 8, "bystander");
    return unused;
}

static void fill(struct bs_tape_state *tape, int from, int to, double scale) {
    for (int i = from; i < to; i++) {
        bs_tape_push_double(tape, i * scale);
    }
}

static void drain(struct bs_tape_state *tape, int from, int to, double scale) {
    for (int i = to; i-- > from;) {
        EXPECT(bs_tape_pop_double(tape) == i * scale);
    }
}

static int holds(const char *split, char value) {
    for (size_t i = 0; i < SPLIT; i++) {
        if (split[i] != value) {
            return 0;
        }
    }
    return 1;
}

/* Overwrites what the other process may still need, if anything were shared. */
static void go_on(struct bs_tape_state *tape, struct bs_tape_state *object, char *split, double scale) {
    EXPECT(holds(split, 1));
    usleep(20000);
    memset(split, (char)scale, SPLIT);
    EXPECT(bs_tape_of_thread() == tape);
    drain(tape, VALUES / 2, VALUES, 1.0);
    fill(tape, VALUES / 2, VALUES, scale);
    drain(object, VALUES / 2, VALUES, 2.0);
    fill(object, VALUES / 2, VALUES, scale);
    usleep(20000);
    EXPECT(holds(split, (char)scale));
    bs_rt_tape_free(split);
    drain(tape, VALUES / 2, VALUES, scale);
    drain(tape, 0, VALUES / 2, 1.0);
    drain(object, VALUES / 2, VALUES, scale);
    drain(object, 0, VALUES / 2, 2.0);
    bs_tape_free(object, "go_on");
}

int main(void) {
    struct bs_tape_state *tape = bs_tape_of_thread(), *object = bs_tape_new();
    pthread_t thread;
    char *split = bs_rt_tape_alloc(SPLIT, "main");
    int status;
    pthread_barrier_init(&barrier, NULL, 2);
    pthread_create(&thread, NULL, bystander, NULL);
    pthread_barrier_wait(&barrier);
    fill(tape, 0, VALUES, 1.0);
    fill(object, 0, VALUES, 2.0);
    memset(split, 1, SPLIT);
    pid_t child = fork();
    EXPECT(child >= 0);
    go_on(tape, object, split, child == 0 ? 3.0 : 5.0);
    if (child == 0) {
        struct bs_tape_stats stats;
        bs_tape_stats(NULL, &stats);
        /* The bystander does not exist here, nor does its tape. */
        EXPECT(stats.current == 0);
        exit(0);
    }
    pthread_barrier_wait(&barrier);
    pthread_join(thread, NULL);
    EXPECT(waitpid(child, &status, 0) == child);
    EXPECT(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return 0;
}
