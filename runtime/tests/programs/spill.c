/* A tape eight times the resident cap goes through the spill file: right contents, little memory.
 * Arguments: cap in bytes, and "crash" to end by a signal in the middle. */
#define _GNU_SOURCE
#include "backsweep_rt.h"
#include "expect.h"
#include <signal.h>
#include <unistd.h>

static size_t file_resident(void) {
    size_t size, resident, shared;
    FILE *file = fopen("/proc/self/statm", "r");
    EXPECT(file != NULL && fscanf(file, "%zu %zu %zu", &size, &resident, &shared) == 3);
    fclose(file);
    return shared * (size_t)sysconf(_SC_PAGESIZE);
}

int main(int argc, char **argv) {
    size_t cap = (size_t)atol(argv[1]), count = 8 * cap / sizeof(double), most = 0;
    struct bs_tape_state *tape = bs_tape_of_thread();
    struct bs_tape_stats stats;
    size_t start = file_resident();
    for (size_t i = 0; i < count; i++) {
        bs_tape_push_double(tape, (double)i);
        if (i % (count / 64) == 0 && file_resident() > most) {
            most = file_resident();
        }
    }
    if (argc > 2) {
        raise(SIGKILL);
    }
    /* Some way back, forth again with other values, then all the way back. */
    for (size_t i = count; i-- > count / 2;) {
        EXPECT(bs_tape_pop_double(tape) == (double)i);
    }
    for (size_t i = count / 2; i < count; i++) {
        bs_tape_push_double(tape, -(double)i);
    }
    for (size_t i = count; i-- > 0;) {
        EXPECT(bs_tape_pop_double(tape) == (i < count / 2 ? (double)i : -(double)i));
        if (i % (count / 64) == 0 && file_resident() > most) {
            most = file_resident();
        }
    }
    bs_tape_stats(tape, &stats);
    EXPECT(stats.current == 0 && stats.peak == 8 * cap && stats.total == 12 * cap);
    EXPECT(stats.spilled >= 7 * cap);
    /* A little for the program's own pages and the step at the edge. */
    EXPECT(most - start <= cap + cap / 4 + (4 << 20));
    bs_tape_trim();
    EXPECT(file_resident() <= start + (4 << 20));
    return 0;
}
