/* Single blocks much larger than the resident cap, filled in one go: right contents, and not all in memory. */
#define _GNU_SOURCE
#include "backsweep_rt.h"
#include "expect.h"
#include <sys/wait.h>
#include <unistd.h>

static const size_t bytes = (size_t)256 << 20;

static size_t file_resident(void) {
    size_t size, resident, shared;
    FILE *file = fopen("/proc/self/statm", "r");
    EXPECT(file != NULL && fscanf(file, "%zu %zu %zu", &size, &resident, &shared) == 3);
    fclose(file);
    return shared * (size_t)sysconf(_SC_PAGESIZE);
}

/* The pager has a thread of its own; on a busy machine it may come late, so its work is waited for, not timed. */
static size_t wait_for_pager(size_t enough) {
    size_t resident = file_resident();
    for (int tries = 0; resident > enough && tries < 20000; tries++) {
        usleep(1000);
        resident = file_resident();
    }
    return resident;
}

static void fill_and_read(double *block) {
    size_t count = bytes / sizeof *block;
    for (size_t i = 0; i < count; i++) {
        block[i] = (double)i;
        if (i % 65536 == 0 && file_resident() > bytes / 2) {
            EXPECT(wait_for_pager(bytes / 2) <= bytes / 2);
        }
    }
    for (size_t i = count; i-- > 0;) {
        EXPECT(block[i] == (double)i);
    }
}

int main(void) {
    struct bs_tape_state *tape = bs_tape_of_thread();
    struct bs_tape_stats stats;
    double *split;
    fill_and_read(bs_tape_push_block(tape, bytes, 1, 64, "main"));
    if (fork() == 0) {
        const double *block = bs_tape_pop_block(tape, bytes, 1, 64, "main");
        EXPECT(block[12345678] == 12345678.0);
        _exit(0);
    }
    int status;
    EXPECT(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    bs_tape_pop_block(tape, bytes, 1, 64, "main");
    split = bs_rt_tape_alloc(bytes, "main");
    fill_and_read(split);
    bs_rt_tape_free(split);
    bs_tape_stats(NULL, &stats);
    EXPECT(stats.spilled > bytes / 4);
    return 0;
}
