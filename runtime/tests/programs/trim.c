/* Memory is kept between equal calls, which then take no page faults, and given back by trim. */
#define _GNU_SOURCE
#include "backsweep_rt.h"
#include "expect.h"
#include <sys/resource.h>
#include <unistd.h>

enum { MEGABYTES = 256 };

static size_t resident(void) {
    size_t size, pages;
    FILE *file = fopen("/proc/self/statm", "r");
    EXPECT(file != NULL && fscanf(file, "%zu %zu", &size, &pages) == 2);
    fclose(file);
    return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static long faults(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

/* One gradient call: records on the thread's tape, a block, a split tape, a tape object. */
static void call(size_t megabytes) {
    struct bs_tape_state *tape = bs_tape_of_thread(), *object = bs_tape_new();
    size_t count = megabytes << 17;
    char *block, *split;
    for (size_t i = 0; i < count; i++) {
        bs_tape_push_double(tape, (double)i);
    }
    block = bs_tape_push_block(tape, megabytes, 1 << 16, 64, "call");
    memset(block, 1, megabytes << 16);
    split = bs_rt_tape_alloc(megabytes << 16, "call");
    memset(split, 2, megabytes << 16);
    for (size_t i = 0; i < 10000; i++) {
        bs_tape_push_double(object, (double)i);
    }
    bs_tape_pop_block(tape, megabytes, 1 << 16, 64, "call");
    for (size_t i = count; i-- > 0;) {
        EXPECT(bs_tape_pop_double(tape) == (double)i);
    }
    bs_rt_tape_free(split);
    bs_tape_free(object, "call");
}

int main(void) {
    size_t start;
    long before, taken;
    call(1);
    bs_tape_trim();
    faults();
    start = resident();
    call(MEGABYTES);
    before = faults();
    call(MEGABYTES);
    taken = faults() - before;
    if (taken != 0) {
        fprintf(stderr, "%ld page faults\n", taken);
    }
    EXPECT(taken == 0);
    EXPECT(resident() > start + ((size_t)MEGABYTES << 20));
    bs_tape_trim();
    EXPECT(resident() < start + ((size_t)2 << 20));
    call(1);
    return 0;
}
