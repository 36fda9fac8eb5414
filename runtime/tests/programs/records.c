/* Records, blocks, cells, bits and snapshots through the header; C89 and C++. */
#include "backsweep_rt.h"
#include "expect.h"

/* Fits any two lines of the header's layout; a mismatch does not compile. */
#define SAME(name, condition) typedef char same_##name[(condition) ? 1 : -1]
SAME(top, offsetof(struct bs_tape_state, top) == 0);
SAME(limit, offsetof(struct bs_tape_state, limit) == 8);
SAME(floor, offsetof(struct bs_tape_state, floor) == 16);
SAME(peak, offsetof(struct bs_tape_state, peak) == 24);
SAME(pushes, offsetof(struct bs_tape_state, pushes) == 32);
SAME(origin, offsetof(struct bs_tape_state, origin) == 40);
SAME(popped, offsetof(struct bs_tape_state, popped) == 48);
SAME(spilled, offsetof(struct bs_tape_state, spilled) == 56);
SAME(state, sizeof(struct bs_tape_state) == 64);
SAME(range, sizeof(struct bs_tape_range) == 16);

static size_t held(struct bs_tape_state *tape) {
    struct bs_tape_stats stats;
    bs_tape_stats(tape, &stats);
    return stats.current;
}

static void doubles(struct bs_tape_state *tape) {
    int i;
    for (i = 0; i < 100000; i++) {
        bs_tape_push_double(tape, i * 0.5);
    }
    for (i = 100000; i-- > 0;) {
        EXPECT(bs_tape_pop_double(tape) == i * 0.5);
    }
}

static void through_a_cursor(struct bs_tape_state *tape) {
    struct bs_tape_cursor cursor;
    struct bs_tape_stats before, after;
    double x;
    int i;
    bs_tape_stats(tape, &before);
    bs_tape_open_cursor(&cursor, tape);
    BS_TAPE_LOOP for (i = 0; i < 100000; i++) {
        x = i;
        memcpy(bs_tape_cursor_push(&cursor, sizeof x), &x, sizeof x);
    }
    bs_tape_close_cursor(&cursor);
    bs_tape_open_cursor(&cursor, tape);
    BS_TAPE_LOOP for (i = 100000; i-- > 0;) {
        memcpy(&x, bs_tape_cursor_pop(&cursor, sizeof x), sizeof x);
        EXPECT(x == i);
    }
    bs_tape_close_cursor(&cursor);
    bs_tape_stats(tape, &after);
    EXPECT(after.pushes - before.pushes == 100000);
    EXPECT(after.total - before.total >= 800000);
    EXPECT(after.peak >= before.current + 800000);
}

/* One cursor goes up and down over many chunks, with records of all sizes, against a plain stack of sizes. */
static void up_and_down(struct bs_tape_state *tape, unsigned seed) {
    enum { STEPS = 60000, LARGEST = 203 };
    static unsigned char sizes[STEPS];
    struct bs_tape_cursor cursor;
    struct bs_tape_stats before, after;
    size_t depth = 0, pushed = 0, bytes, k;
    unsigned char *record;
    int step, falling;
    bs_tape_stats(tape, &before);
    bs_tape_open_cursor(&cursor, tape);
    for (step = 0; step < STEPS || depth > 0; step++) {
        seed = seed * 1103515245u + 12345u;
        /* Long climbs and falls with small turns in them, so that the same end of a chunk is met from both sides. */
        falling = step >= STEPS || (seed >> 16) % 8 < (step / 5000 % 2 ? 6u : 2u);
        if (falling && depth > 0) {
            depth -= 1;
            bytes = sizes[depth];
            record = (unsigned char *)bs_tape_cursor_pop(&cursor, bytes);
            for (k = 0; k < bytes; k++) {
                EXPECT(record[k] == (unsigned char)(depth + k));
            }
        } else if (!falling) {
            bytes = (seed >> 8) % LARGEST;
            record = (unsigned char *)bs_tape_cursor_push(&cursor, bytes);
            EXPECT((size_t)record % 8 == 0);
            for (k = 0; k < bytes; k++) {
                record[k] = (unsigned char)(depth + k);
            }
            sizes[depth] = (unsigned char)bytes;
            depth += 1;
            pushed += 1;
        }
        if (step % 1000 == 0) {
            /* Others see the same tape between, and what they leave is under the cursor. */
            bs_tape_close_cursor(&cursor);
            bs_tape_push_double(tape, step);
            EXPECT(bs_tape_pop_double(tape) == step);
            pushed += 1;
            bs_tape_open_cursor(&cursor, tape);
        }
    }
    bs_tape_close_cursor(&cursor);
    bs_tape_stats(tape, &after);
    EXPECT(after.current == before.current);
    EXPECT(after.pushes - before.pushes == pushed);
}

/* A run is many records: what it pushes may come off one by one, and the other way round. */
static void in_runs(struct bs_tape_state *tape, size_t bytes, int pushed_in_runs, int popped_in_runs) {
    const size_t count = 50000, apart = (bytes + 7) / 8 * 8;
    struct bs_tape_stats before, after;
    size_t i = 0, left, run;
    void *place;
    char *at;
    bs_tape_stats(tape, &before);
    for (left = count; left > 0; left -= run) {
        run = pushed_in_runs ? bs_tape_push_run(tape, bytes, left, &place) : 1;
        at = (char *)(pushed_in_runs ? place : bs_tape_push(tape, bytes));
        EXPECT(run >= 1 && run <= left);
        for (i = 0; i < run; i++) {
            memset(at + i * apart, (int)((left - i) % 251), bytes);
        }
    }
    for (left = 0; left < count; left += run) {
        run = popped_in_runs ? bs_tape_pop_run(tape, bytes, count - left, &place) : 1;
        at = (char *)(popped_in_runs ? place : bs_tape_pop(tape, bytes));
        EXPECT(run >= 1 && run <= count - left);
        for (i = 0; i < run && bytes > 0; i++) {
            EXPECT((unsigned char)at[0] == (left + i + 1) % 251 && at[bytes - 1] == at[0]);
            at -= i + 1 < run ? apart : 0;
        }
    }
    bs_tape_stats(tape, &after);
    EXPECT(after.pushes - before.pushes == (bytes > 0 ? count : after.pushes - before.pushes));
    EXPECT(after.total - before.total >= count * apart);
    EXPECT(after.peak >= before.current + count * apart);
    EXPECT(after.current == before.current);
}

static void runs(struct bs_tape_state *tape) {
    static const size_t sizes[] = {8, 0, 1, 24, 100};
    size_t size, way;
    for (size = 0; size < sizeof sizes / sizeof *sizes; size++) {
        for (way = 1; way < 4; way++) {
            in_runs(tape, sizes[size], (int)(way & 1), (int)(way >> 1));
        }
    }
}

static void odd_sizes(struct bs_tape_state *tape) {
    size_t bytes;
    for (bytes = 0; bytes < 100; bytes++) {
        memset(bs_tape_push(tape, bytes), (int)bytes, bytes);
    }
    for (bytes = 100; bytes-- > 0;) {
        const unsigned char *record = (const unsigned char *)bs_tape_pop(tape, bytes);
        size_t i;
        for (i = 0; i < bytes; i++) {
            EXPECT(record[i] == bytes);
        }
    }
}

static void blocks(struct bs_tape_state *tape) {
    size_t align;
    for (align = 1; align <= 4096; align *= 2) {
        double *block = (double *)bs_tape_push_block(tape, 1000, sizeof(double), align, "blocks");
        EXPECT((size_t)block % align == 0);
        block[0] = (double)align;
        block[999] = -(double)align;
    }
    for (align = 4096; align >= 1; align /= 2) {
        const double *block = (const double *)bs_tape_pop_block(tape, 1000, sizeof(double), align, "blocks");
        EXPECT(block[0] == (double)align && block[999] == -(double)align);
    }
}

static void cells(struct bs_tape_state *tape) {
    double x = 1.0;
    int n = 7;
    bs_tape_save_cell(tape, &x, sizeof x);
    x = 2.0;
    bs_tape_save_cell(tape, &n, sizeof n);
    n = 8;
    bs_tape_save_cell(tape, &x, sizeof x);
    x = 3.0;
    bs_tape_restore_cell(tape, sizeof x);
    EXPECT(x == 2.0);
    bs_tape_restore_cell(tape, sizeof n);
    EXPECT(n == 7);
    bs_tape_restore_cell(tape, sizeof x);
    EXPECT(x == 1.0);
}

/* Bits alternate with records in one loop, for every remainder of a word. */
static void bits(struct bs_tape_state *tape, int count) {
    struct bs_tape_bits word;
    size_t before = held(tape);
    int i;
    bs_tape_begin_bits(&word);
    for (i = 0; i < count; i++) {
        bs_tape_push_bit(tape, &word, i % 3 == 0);
        if (i % 3 == 0) {
            bs_tape_push_double(tape, i);
        }
    }
    bs_tape_end_bits(tape, &word);
    bs_tape_open_bits(tape, &word);
    for (i = count; i-- > 0;) {
        if (i % 3 == 0) {
            EXPECT(bs_tape_pop_double(tape) == i);
        }
        EXPECT(bs_tape_pop_bit(tape, &word) == (i % 3 == 0));
    }
    EXPECT(held(tape) == before);
}

static void snapshots(struct bs_tape_state *tape) {
    double a[10];
    char b[3];
    struct bs_tape_range ranges[2];
    int i;
    for (i = 0; i < 10; i++) {
        a[i] = i;
    }
    memcpy(b, "abc", 3);
    ranges[0].start = a;
    ranges[0].bytes = sizeof a;
    ranges[1].start = b;
    ranges[1].bytes = sizeof b;
    bs_tape_save(tape, ranges, 2, "snapshots");
    bs_tape_save(tape, ranges, 0, "snapshots");
    bs_tape_restore(tape, "snapshots");
    for (i = 0; i < 3; i++) {
        memset(a, 0, sizeof a);
        memset(b, 0, sizeof b);
        if (i < 2) {
            bs_tape_restore_keep(tape, "snapshots");
        } else {
            bs_tape_restore(tape, "snapshots");
        }
        EXPECT(a[9] == 9.0 && a[1] == 1.0 && memcmp(b, "abc", 3) == 0);
    }
    bs_tape_save(tape, ranges, 2, "snapshots");
    a[9] = -9.0;
    b[0] = 'x';
    bs_tape_recall(tape, tape, "snapshots");
    EXPECT(a[9] == 9.0 && memcmp(b, "abc", 3) == 0);
    a[9] = 99.0;
    bs_tape_restore(tape, "snapshots");
    EXPECT(a[9] == -9.0 && memcmp(b, "xbc", 3) == 0);
    bs_tape_forget(tape, "snapshots");
    EXPECT(a[9] == -9.0 && memcmp(b, "xbc", 3) == 0);
}

static void marks(struct bs_tape_state *tape) {
    size_t before = held(tape);
    void *outer = bs_tape_mark(tape);
    void *inner;
    bs_tape_push_double(tape, 1.0);
    inner = bs_tape_mark(tape);
    bs_tape_push_block(tape, 1000, 1000, 64, "marks");
    bs_tape_release(tape, inner, "marks");
    EXPECT(bs_tape_pop_double(tape) == 1.0);
    bs_tape_push_double(tape, 2.0);
    bs_tape_release(tape, outer, "marks");
    EXPECT(held(tape) == before);
}

static void all(struct bs_tape_state *tape) {
    int count;
    doubles(tape);
    through_a_cursor(tape);
    up_and_down(tape, 1);
    up_and_down(tape, 29);
    runs(tape);
    odd_sizes(tape);
    blocks(tape);
    cells(tape);
    for (count = 0; count < 200; count++) {
        bits(tape, count);
    }
    snapshots(tape);
    marks(tape);
    EXPECT(held(tape) == 0);
}

int main(void) {
    struct bs_tape_state *object = bs_tape_new();
    bs_rt_check_abi(BS_RT_ABI, "records");
    all(bs_tape_of_thread());
    all(object);
    bs_tape_free(object, "main");
    return 0;
}
