/* Known figures for the line at exit. */
#include "backsweep_rt.h"
#include "expect.h"
#include <pthread.h>

static void *stack(void *unused) {
    struct bs_tape_state *tape = bs_tape_of_thread();
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 1000; i++) {
            bs_tape_push_double(tape, i);
        }
        for (int i = 0; i < 1000; i++) {
            bs_tape_pop_double(tape);
        }
    }
    return unused;
}

int main(int argc, char **argv) {
    const char *what = argc > 1 ? argv[1] : "";
    if (strcmp(what, "stack") == 0) {
        stack(NULL);
    } else if (strcmp(what, "split") == 0) {
        void *first = bs_rt_tape_alloc(100, "main"), *second = bs_rt_tape_alloc(200, "main");
        bs_rt_tape_free(first);
        first = bs_rt_tape_alloc(100, "main");
        bs_rt_tape_free(second);
        bs_rt_tape_free(first);
    } else if (strcmp(what, "threads") == 0) {
        for (int i = 0; i < 5; i++) {
            pthread_t thread;
            EXPECT(pthread_create(&thread, NULL, stack, NULL) == 0);
            EXPECT(pthread_join(thread, NULL) == 0);
        }
    }
    return 0;
}
