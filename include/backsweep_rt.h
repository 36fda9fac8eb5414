/* backsweep_rt.h: the tape, the stack of bytes that a forward and a reverse sweep share.
 *
 * Part of Backsweep, under Apache-2.0 WITH LLVM-exception. C89 and C++; for 64-bit systems.
 * docs/runtime.md tells the whole story; this header is the ABI.
 *
 * Everything here is for one thread at a time per tape. `function` is the name of the differentiated function,
 * for messages: null, or a string that lives as long as the program.
 */
#ifndef BACKSWEEP_RT_H
#define BACKSWEEP_RT_H

#include <stddef.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- Version ------------------------------------------------------------------------------------------- */
/* Raised whenever a name, a signature or a layout below changes. Generated code, and every object that includes this header,
 * refers to bs_rt_abi_<version>: linking against a runtime of another version fails with that name in the message. */
#define BS_RT_ABI 3
extern const unsigned int bs_rt_abi_3;

/* Ends the program with a message unless the runtime speaks version `wanted`; for code loaded at run time. */
void bs_rt_check_abi(unsigned int wanted, const char *who);

/* ---- The state block ----------------------------------------------------------------------------------- */
/* One per tape. Generated code fetches its pointer once per entry and uses it by offset.
 *
 * Invariant: floor <= top <= limit, and top, floor, limit are multiples of 8.
 *   push n: n' = n rounded up to 8. If top + n' > limit, call bs_tape_push_slow(tape, n, function).
 *           Otherwise the record is at top; top += n'; pushes += 1.
 *   pop n:  if top > peak, peak = top. If top - n' < floor, call bs_tape_pop_slow(tape, n, function).
 *           Otherwise top -= n'; popped += n'; the record is at top, and stays readable until the next push.
 * The comparisons are of signed integers, which is right as long as n' is at most 2^62: no address is above that.
 * Every figure of bs_tape_stats is exact from these: the bytes pushed are those popped and those held. Each side
 * has one counter, and the two do not lie side by side: compilers would join them to a vector, and a vector
 * stored and loaded again at once is slow.
 * Code that keeps top in a register for a whole loop stores it back, and adds its pushes or its bytes popped,
 * before it calls anything that may use the tape. In a checked run (BACKSWEEP_TAPE_CHECK=1)
 * floor == top == limit, so every record takes the slow path, which tags it. */
struct bs_tape_state {
    char *top;      /*  0: the first free byte, just above the newest record */
    char *limit;    /*  8: a push may not go beyond this without the slow path */
    char *floor;    /* 16: a pop may not go below this without the slow path */
    char *peak;     /* 24: the highest top before a pop */
    size_t pushes;  /* 32: records pushed so far */
    char *origin;   /* 40: top - origin is the number of bytes held; written by the runtime only */
    size_t popped;  /* 48: bytes that were popped or released so far */
    size_t spilled; /* 56: bytes that went to the spill file; written by the runtime only */
};

/* The calling thread's tape: made on first use, freed when the thread ends, of no use to others. A forked child has a copy of it. */
struct bs_tape_state *bs_tape_of_thread(void);

/* A tape of its own, not bound to a thread: any number at once, in any order, used by one thread at a time.
 * All calls below work on it. It may be freed without having been consumed. */
struct bs_tape_state *bs_tape_new(void);
void bs_tape_free(struct bs_tape_state *tape, const char *function);

/* Memory for a split-mode tape of known size, aligned to 64 and not initialised; 0 bytes are legal. Any thread
 * may use and free it. Counts in the statistics of the process. Freeing null does nothing. A program frees the tape of
 * an augmented call with this when it does not want the reverse call any more. */
void *bs_rt_tape_alloc(size_t bytes, const char *function);
void bs_rt_tape_free(void *tape);

/* Makes a tape object part of a split-mode tape: freeing that one frees both. */
void bs_rt_tape_own(void *tape, struct bs_tape_state *records);

/* Fails unless the split-mode tape is live (surely known in a checked run, mostly else) and was made with the same
 * size for a function of the same name. Generated code begins the reverse call with it. */
void bs_rt_tape_check(void *tape, size_t bytes, const char *function);

/* An exception has left a reverse call whose caller keeps the tape: another reverse call over it fails, since part of the
 * derivative may be in shadows that it leads to; it is freed as before. A tape that is not kept is freed by the exception. */
void bs_rt_tape_spoil(void *tape);

/* ---- Records and blocks -------------------------------------------------------------------------------- */
/* What the fast path falls back to; also right when the fast path would have done, so languages without the
 * inline functions below call these for every record. Records are aligned to 8. */
void *bs_tape_push_slow(struct bs_tape_state *tape, size_t bytes, const char *function);
void *bs_tape_pop_slow(struct bs_tape_state *tape, size_t bytes, const char *function);

/* A block of count times size bytes (the product may not wrap), aligned to a power of two up to 4096; popped by the same numbers. */
void *bs_tape_push_block(struct bs_tape_state *tape, size_t count, size_t size, size_t align, const char *function);
void *bs_tape_pop_block(struct bs_tape_state *tape, size_t count, size_t size, size_t align, const char *function);

/* A place to come back to when a sweep is left by throw, longjmp or exit: release drops what was pushed since.
 * A mark is valid until its tape has been popped or released below it. */
void *bs_tape_mark(struct bs_tape_state *tape);
void bs_tape_release(struct bs_tape_state *tape, void *mark, const char *function);

/* The other way: puts back what was popped since the mark, for a second sweep over the same records. Nothing was pushed meanwhile. */
void bs_tape_rewind(struct bs_tape_state *tape, void *mark, const char *function);

/* ---- Snapshots ----------------------------------------------------------------------------------------- */
struct bs_tape_range {
    void *start;
    size_t bytes;
};

/* Puts the contents of the ranges on the tape; restore puts them back to where they came from. The second form leaves the snapshot on
 * the tape. Recall does so too, and saves what lay there on `aside`; forget takes the newest snapshot off, and puts nothing back. */
void bs_tape_save(struct bs_tape_state *tape, const struct bs_tape_range *ranges, size_t count, const char *function);
void bs_tape_restore(struct bs_tape_state *tape, const char *function);
void bs_tape_restore_keep(struct bs_tape_state *tape, const char *function);
void bs_tape_recall(struct bs_tape_state *tape, struct bs_tape_state *aside, const char *function);
void bs_tape_forget(struct bs_tape_state *tape, const char *function);

/* ---- Functions that derivatives call and no library has ---------------------------------------------------- */
/* The logarithmic derivative of the gamma function. NaN at its poles 0, -1, -2, ... */
double bs_rt_digamma(double x);
float bs_rt_digammaf(float x);

/* Before a shadow of that size is allocated: has glibc keep as much freed memory as the next call will want. */
void bs_rt_make_room(size_t count, size_t size);

/* Memory that is not freed where the reverse sweep reaches its allocation is put off on the list of the tape that the records
 * are on (docs/runtime.md). bs_tape_free frees what is on the list of an object, as does bs_rt_tape_free of the tape that owns it; a
 * derivative of one call opens the list of its thread's tape and closes it with what the opening returned. */
void *bs_rt_lasting_shadow(size_t count, size_t size);
void bs_rt_lasting_shadow_free(void *shadow);
size_t bs_rt_put_off_open(struct bs_tape_state *tape, const char *function);
void bs_rt_put_off(struct bs_tape_state *tape, void *memory, void (*release)(void *), void *shadow, const char *function);
void bs_rt_put_off_sized(struct bs_tape_state *tape, void *memory, void (*release)(void *, size_t, size_t), size_t size,
                         size_t align, void *shadow, const char *function);
void bs_rt_put_off_close(struct bs_tape_state *tape, size_t opened, const char *function);

/* What the primal leaves where the reverse sweep puts memory back: told where it stored (`count` places of `size` bytes up to
 * `last`, each `step` bytes behind the one before), copied between the sweeps (keep) and written back behind them (close). */
struct bs_left *bs_rt_left_open(void);
void bs_rt_left_tell(struct bs_left *left, const void *last, ptrdiff_t step, size_t count, size_t size);
void bs_rt_left_keep(struct bs_left *left, const char *function);
void bs_rt_left_close(struct bs_left *left);

/* Fail: derived code met a pointer whose derivative would be lost (`global` is the global it leads into, or null for one without shadow
 * found in one); the primal copied part of a number, or one to where none can start; a pointer leads to a function without derivative. */
void bs_rt_no_shadow(const void *pointer, const char *function, const char *global);
void bs_rt_part_of_number(void);
void bs_rt_unknown_function(const void *address);

/* The blocks that a program makes and may ask to grow: told of since its derivative began; how large one was asked for; how much room any has. */
void bs_rt_blocks_begin(void);
void bs_rt_block_made(const void *block, size_t size);
void bs_rt_block_gone(const void *block);
size_t bs_rt_block_size(const void *block);
size_t bs_rt_block_room(const void *block);

/* Shadows for arrays that Fortran's modules hold on entry (docs/runtime.md), and flang's mark behind what a pointer was given. */
void bs_rt_arrays_global(const void *global, size_t bytes, void *shadow);
void bs_rt_arrays_find(const void *descriptor, void *shadow);
void *bs_rt_arrays_make(size_t lane, const char *function);
void bs_rt_arrays_drop(void *made);
void bs_rt_arrays_compare(const void *pointer, const void *shadow, size_t lane, const char *function);
void bs_rt_fortran_pointer(void *base, size_t bytes);

/* ---- Statistics and memory ----------------------------------------------------------------------------- */
struct bs_tape_stats {
    size_t current; /* bytes held now, padding and tags included */
    size_t peak;    /* bytes held at most; for the process the sum over tapes that lived at once */
    size_t total;   /* bytes ever pushed */
    size_t pushes;  /* records, blocks, snapshots (two each) and split-mode tapes */
    size_t spilled; /* bytes dropped from memory into the spill file */
};

/* Of one tape, or with null of the process: all threads and objects, also ended ones. */
void bs_tape_stats(const struct bs_tape_state *tape, struct bs_tape_stats *stats);

/* Gives back the memory that the calling thread's tape and freed tape objects keep for the next call. */
void bs_tape_trim(void);

/* ---- Failures ------------------------------------------------------------------------------------------ */
/* A message ends with an id in brackets, BS200 and the kind, which docs/diagnostics.md explains. */
enum bs_tape_failure_kind {
    BS_TAPE_FAILURE_LIMIT = 1,         /* BACKSWEEP_TAPE_LIMIT is reached */
    BS_TAPE_FAILURE_MEMORY = 2,        /* the system refused memory */
    BS_TAPE_FAILURE_SPILL = 3,         /* the spill file could not be made or grown */
    BS_TAPE_FAILURE_UNMATCHED_POP = 4, /* more popped than pushed */
    BS_TAPE_FAILURE_ORDER = 5,         /* popped as something else than pushed (checked run); the tape of another function, or one left half done */
    BS_TAPE_FAILURE_CORRUPT = 6,       /* a record's end was overwritten (checked run) */
    BS_TAPE_FAILURE_DOUBLE_FREE = 7,   /* a tape used or freed that is not live */
    BS_TAPE_FAILURE_WRONG_THREAD = 8,  /* the stack of another thread */
    BS_TAPE_FAILURE_BAD_MARK = 9,      /* a release to a mark that is gone */
    BS_TAPE_FAILURE_ABI = 10,          /* a runtime of another version */
    BS_TAPE_FAILURE_SETTING = 11,      /* an environment variable that cannot be read */
    BS_TAPE_FAILURE_SHADOW = 12,       /* a derivative that would have been lost */
    BS_TAPE_FAILURE_FUNCTION = 13      /* a call through a pointer to a function whose derivative was not made */
};

/* The exit status after a failure. */
#define BS_TAPE_EXIT_STATUS 70

struct bs_tape_failure {
    enum bs_tape_failure_kind kind;
    int os_error;         /* errno, or 0 */
    const char *function; /* may be null */
    size_t bytes;         /* how many were asked for */
    const char *message;  /* one line; lives as long as the call */
};

/* The handler may end the program, or longjmp to a place that releases the tape to its mark; it must not throw.
 * When it returns, or there is none, the message is printed on standard error and the program ends. */
typedef void (*bs_tape_failure_handler)(const struct bs_tape_failure *failure);

/* Replaces the handler of the process and returns the one before; null is the default. */
bs_tape_failure_handler bs_tape_set_failure_handler(bs_tape_failure_handler handler);

/* ---- The fast path ------------------------------------------------------------------------------------- */
#if defined(__GNUC__)
#define BS_TAPE_INLINE static __inline__ __attribute__((unused))
/* For what takes the address of a cursor: one call that is not inlined, and the cursor is in memory. */
#define BS_TAPE_CURSOR_INLINE static __inline__ __attribute__((unused, always_inline))
#define BS_TAPE_LIKELY(condition) __builtin_expect(!!(condition), 1)
/* Keeps the compiler from working with what a value was made of, which it would carry through the fast path for the slow one. */
#define BS_TAPE_HIDE(value) __asm__("" : "+r"(value))
#define BS_TAPE_FUNCTION (__extension__ __FUNCTION__)
/* Keeps the reference to the version symbol in every object that includes this header. */
static const unsigned int *const bs_rt_abi_wanted __attribute__((used)) = &bs_rt_abi_3;
#else
#if defined(__cplusplus) || (defined(__STDC_VERSION__) && __STDC_VERSION__ >= 199901L)
#define BS_TAPE_INLINE static inline
#define BS_TAPE_FUNCTION __func__
#else
#define BS_TAPE_INLINE static
#define BS_TAPE_FUNCTION "an unnamed function"
#endif
#define BS_TAPE_CURSOR_INLINE BS_TAPE_INLINE
#define BS_TAPE_LIKELY(condition) (condition)
#define BS_TAPE_HIDE(value) ((void)0)
#endif

/* Before a loop that does little but push or pop: has it unrolled, which compilers do not do of their own accord to loops
 * that may call something. Then a record costs the question whether it fits, and no longer a turn of the loop. */
#if defined(__clang__)
#define BS_TAPE_LOOP _Pragma("clang loop unroll_count(8)")
#elif defined(__GNUC__) && __GNUC__ >= 8
#define BS_TAPE_LOOP _Pragma("GCC unroll 8")
#else
#define BS_TAPE_LOOP
#endif

/* The comparisons of the fast path. All are multiples of 8, so a record fits if it ends less than 8 above the limit; one of 8 bytes
 * if the top is below the limit. The second half is about sums that wrap; for a constant size it costs nothing. */
#define BS_TAPE_MOST ((size_t)1 << 62)
#define BS_TAPE_ROUNDED(bytes) (((bytes) + 7) & ~(size_t)7)
#define BS_TAPE_FITS(top, limit, rounded, bytes)                                                           \
    BS_TAPE_LIKELY((ptrdiff_t)((size_t)(top) + (rounded) - 8) < (ptrdiff_t)(limit) && (bytes) <= BS_TAPE_MOST)
#define BS_TAPE_HOLDS(top, floor, rounded, bytes)                                                          \
    BS_TAPE_LIKELY((ptrdiff_t)((size_t)(top) - (rounded)) >= (ptrdiff_t)(floor) && (bytes) <= BS_TAPE_MOST)

/* Takes `bytes` for a record and names the calling function in messages. A loop has runs and the cursor, which store no top. */
#define bs_tape_push(tape, bytes) bs_tape_push_from((tape), (bytes), BS_TAPE_FUNCTION)
#define bs_tape_pop(tape, bytes) bs_tape_pop_from((tape), (bytes), BS_TAPE_FUNCTION)

BS_TAPE_INLINE void *bs_tape_push_from(struct bs_tape_state *tape, size_t bytes, const char *function) {
    const size_t rounded = BS_TAPE_ROUNDED(bytes);
    char *record = tape->top;
    if (BS_TAPE_FITS(record, tape->limit, rounded, bytes)) {
        tape->top = record + rounded;
        tape->pushes += 1;
        return record;
    }
    return bs_tape_push_slow(tape, bytes, function);
}

BS_TAPE_INLINE void *bs_tape_pop_from(struct bs_tape_state *tape, size_t bytes, const char *function) {
    const size_t rounded = BS_TAPE_ROUNDED(bytes);
    char *top = tape->top;
    if (!BS_TAPE_LIKELY(top <= tape->peak)) {
        tape->peak = top;
    }
    if (BS_TAPE_HOLDS(top, tape->floor, rounded, bytes)) {
        tape->top = top - rounded;
        tape->popped += rounded;
        return top - rounded;
    }
    return bs_tape_pop_slow(tape, bytes, function);
}

#define bs_tape_push_double(tape, x) bs_tape_push_double_from((tape), (x), BS_TAPE_FUNCTION)
#define bs_tape_pop_double(tape) bs_tape_pop_double_from((tape), BS_TAPE_FUNCTION)

BS_TAPE_INLINE void bs_tape_push_double_from(struct bs_tape_state *tape, double x, const char *function) {
    memcpy(bs_tape_push_from(tape, sizeof x, function), &x, sizeof x);
}

BS_TAPE_INLINE double bs_tape_pop_double_from(struct bs_tape_state *tape, const char *function) {
    double x;
    memcpy(&x, bs_tape_pop_from(tape, sizeof x, function), sizeof x);
    return x;
}

/* ---- Runs: records of one size, for which the gates are asked once ---------------------------------------------- */
/* Puts at least one and at most `most` records of `bytes` bytes on the tape, says where the lowest is, and returns how
 * many there are; each lies bytes rounded up to 8 above the one before. Popping takes them off, says where the newest is,
 * and each older one lies as far below. `most` is not 0. The records are ordinary ones: what was pushed in a run may
 * be popped one by one, and the other way round. Between two calls a loop does nothing but count its pointer on:
 *   while (left > 0) {
 *       void *lowest;
 *       size_t run = bs_tape_push_run(tape, sizeof(double), left, &lowest);
 *       double *at = (double *)lowest, *end = at + run;
 *       for (left -= run; at != end; at++) *at = ...;
 *   }
 */
#define bs_tape_push_run(tape, bytes, most, lowest) \
    bs_tape_push_run_from((tape), (bytes), (most), (lowest), BS_TAPE_FUNCTION)
#define bs_tape_pop_run(tape, bytes, most, newest) \
    bs_tape_pop_run_from((tape), (bytes), (most), (newest), BS_TAPE_FUNCTION)

/* How many records lie between two places, at most `most`; none where that would take a division by zero. */
BS_TAPE_INLINE size_t bs_tape_run(const char *from, const char *to, size_t rounded, size_t most) {
    const size_t there = rounded == 0 ? 0 : (size_t)(to - from) / rounded;
    return there < most ? there : most;
}

BS_TAPE_INLINE size_t bs_tape_push_run_from(struct bs_tape_state *tape, size_t bytes, size_t most, void **lowest,
                                            const char *function) {
    const size_t rounded = BS_TAPE_ROUNDED(bytes);
    const size_t run = bs_tape_run(tape->top, tape->limit, rounded, most);
    if (BS_TAPE_LIKELY(run > 0)) {
        *lowest = tape->top;
        tape->top += run * rounded;
        tape->pushes += run;
        return run;
    }
    *lowest = bs_tape_push_slow(tape, bytes, function);
    return 1;
}

BS_TAPE_INLINE size_t bs_tape_pop_run_from(struct bs_tape_state *tape, size_t bytes, size_t most, void **newest,
                                           const char *function) {
    const size_t rounded = BS_TAPE_ROUNDED(bytes);
    const size_t run = bs_tape_run(tape->floor, tape->top, rounded, most);
    if (!BS_TAPE_LIKELY(tape->top <= tape->peak)) {
        tape->peak = tape->top;
    }
    if (BS_TAPE_LIKELY(run > 0)) {
        *newest = tape->top - rounded;
        tape->top -= run * rounded;
        tape->popped += run * rounded;
        return run;
    }
    *newest = bs_tape_pop_slow(tape, bytes, function);
    return 1;
}

/* ---- Cursor: the fast path of a loop that does nothing else with the tape --------------------------------- */
/* What a loop keeps of the state block in registers, so that a record costs a comparison, and its count nothing where the loop's
 * own can stand for it. Between open and close the tape is used through the cursor only, and a loop either pushes or pops.
 *   BS_TAPE_LOOP for (i = 0; i < count; i++) *(double *)bs_tape_cursor_push(&cursor, sizeof(double)) = ...;
 *
 * A record lies at base + at, and moves `at` by its size whether it fits or not: the slow path moves `base` instead. So the places in
 * an unrolled loop are constants away from the first, and none waits for the one before. limit and floor are gates for `at`. */
struct bs_tape_cursor {
    size_t base, at;
    ptrdiff_t limit, floor;
    size_t pushes;
    struct bs_tape_state *tape;
};

/* `at` is the top, as far as the fast path is concerned. */
BS_TAPE_CURSOR_INLINE void bs_tape_cursor_load(struct bs_tape_cursor *cursor) {
    const struct bs_tape_state *tape = cursor->tape;
    cursor->limit = (ptrdiff_t)cursor->at + (tape->limit - tape->top);
    cursor->floor = (ptrdiff_t)cursor->at - (tape->top - tape->floor);
}

/* A fall from a new height is a peak; how far it went is what was popped. */
BS_TAPE_CURSOR_INLINE void bs_tape_cursor_store(const struct bs_tape_cursor *cursor) {
    struct bs_tape_state *tape = cursor->tape;
    /* Behind shut gates each record took the slow path, which has left the top in its place: above a tag in a checked run. */
    const ptrdiff_t risen = tape->floor == tape->limit ? 0 : (ptrdiff_t)(cursor->base + cursor->at - (size_t)tape->top);
    if (risen < 0) {
        tape->popped -= (size_t)risen;
        if (tape->top > tape->peak) {
            tape->peak = tape->top;
        }
    }
    tape->top += risen;
}

BS_TAPE_CURSOR_INLINE void bs_tape_open_cursor(struct bs_tape_cursor *cursor, struct bs_tape_state *tape) {
    cursor->tape = tape;
    cursor->pushes = 0;
    cursor->base = 0;
    cursor->at = (size_t)tape->top;
    bs_tape_cursor_load(cursor);
}

BS_TAPE_CURSOR_INLINE void bs_tape_close_cursor(const struct bs_tape_cursor *cursor) {
    bs_tape_cursor_store(cursor);
    cursor->tape->pushes += cursor->pushes;
}

#define bs_tape_cursor_push(cursor, bytes) bs_tape_cursor_push_from((cursor), (bytes), BS_TAPE_FUNCTION)
#define bs_tape_cursor_pop(cursor, bytes) bs_tape_cursor_pop_from((cursor), (bytes), BS_TAPE_FUNCTION)

BS_TAPE_CURSOR_INLINE void *bs_tape_cursor_push_from(struct bs_tape_cursor *cursor, size_t bytes, const char *function) {
    const size_t rounded = BS_TAPE_ROUNDED(bytes), record = cursor->at;
    cursor->pushes += 1;
    if (!BS_TAPE_FITS(record, cursor->limit, rounded, bytes)) {
        size_t here = record;
        BS_TAPE_HIDE(here);
        cursor->at = here;
        bs_tape_cursor_store(cursor);
        /* The slow path counts this one too. */
        cursor->tape->pushes -= 1;
        cursor->base = (size_t)bs_tape_push_slow(cursor->tape, bytes, function) - here;
        cursor->at = here + rounded;
        bs_tape_cursor_load(cursor);
    }
    cursor->at = record + rounded;
    return (void *)(cursor->base + record);
}

BS_TAPE_CURSOR_INLINE void *bs_tape_cursor_pop_from(struct bs_tape_cursor *cursor, size_t bytes, const char *function) {
    const size_t rounded = BS_TAPE_ROUNDED(bytes), record = cursor->at - rounded;
    if (!BS_TAPE_HOLDS(cursor->at, cursor->floor, rounded, bytes)) {
        size_t here = record;
        BS_TAPE_HIDE(here);
        cursor->at = here + rounded;
        bs_tape_cursor_store(cursor);
        cursor->base = (size_t)bs_tape_pop_slow(cursor->tape, bytes, function) - here;
        cursor->at = here;
        bs_tape_cursor_load(cursor);
    }
    cursor->at = record;
    return (void *)(cursor->base + record);
}

/* ---- Cells: memory that is about to be overwritten ------------------------------------------------------ */
/* Save records a cell's value and address; restore, with the same size, puts the value back. */
#define bs_tape_save_cell(tape, cell, bytes) bs_tape_save_cell_from((tape), (cell), (bytes), BS_TAPE_FUNCTION)
#define bs_tape_restore_cell(tape, bytes) bs_tape_restore_cell_from((tape), (bytes), BS_TAPE_FUNCTION)

BS_TAPE_INLINE void bs_tape_save_cell_from(struct bs_tape_state *tape, void *cell, size_t bytes, const char *function) {
    char *record = (char *)bs_tape_push_from(tape, bytes + sizeof cell, function);
    memcpy(record, &cell, sizeof cell);
    memcpy(record + sizeof cell, cell, bytes);
}

BS_TAPE_INLINE void bs_tape_restore_cell_from(struct bs_tape_state *tape, size_t bytes, const char *function) {
    void *cell;
    const char *record = (const char *)bs_tape_pop_from(tape, bytes + sizeof cell, function);
    memcpy(&cell, record, sizeof cell);
    memcpy(cell, record + sizeof cell, bytes);
}

/* ---- Bits: 64 branch decisions in a word ---------------------------------------------------------------- */
/* Lives in the function that records, beside the tape. The forward sweep begins it, pushes bits and ends it; the
 * reverse sweep opens it, pops them and is done. A full word goes onto the tape with the bit that filled it and
 * comes off with that bit, so bits may alternate with records in the same loop. */
struct bs_tape_bits {
    size_t word;
    size_t count;
};

#define bs_tape_push_bit(tape, bits, bit) bs_tape_push_bit_from((tape), (bits), (bit), BS_TAPE_FUNCTION)
#define bs_tape_pop_bit(tape, bits) bs_tape_pop_bit_from((tape), (bits), BS_TAPE_FUNCTION)
#define bs_tape_end_bits(tape, bits) bs_tape_end_bits_from((tape), (bits), BS_TAPE_FUNCTION)
#define bs_tape_open_bits(tape, bits) bs_tape_open_bits_from((tape), (bits), BS_TAPE_FUNCTION)

BS_TAPE_INLINE void bs_tape_begin_bits(struct bs_tape_bits *bits) {
    bits->word = 0;
    bits->count = 0;
}

BS_TAPE_INLINE void bs_tape_push_bit_from(struct bs_tape_state *tape, struct bs_tape_bits *bits, int bit,
                                          const char *function) {
    bits->word |= (size_t)(bit != 0) << bits->count;
    bits->count += 1;
    if (bits->count == 64) {
        memcpy(bs_tape_push_from(tape, sizeof bits->word, function), &bits->word, sizeof bits->word);
        bs_tape_begin_bits(bits);
    }
}

BS_TAPE_INLINE void bs_tape_end_bits_from(struct bs_tape_state *tape, struct bs_tape_bits *bits, const char *function) {
    memcpy(bs_tape_push_from(tape, sizeof *bits, function), bits, sizeof *bits);
}

BS_TAPE_INLINE void bs_tape_open_bits_from(struct bs_tape_state *tape, struct bs_tape_bits *bits, const char *function) {
    memcpy(bits, bs_tape_pop_from(tape, sizeof *bits, function), sizeof *bits);
}

BS_TAPE_INLINE int bs_tape_pop_bit_from(struct bs_tape_state *tape, struct bs_tape_bits *bits, const char *function) {
    if (bits->count == 0) {
        memcpy(&bits->word, bs_tape_pop_from(tape, sizeof bits->word, function), sizeof bits->word);
        bits->count = 64;
    }
    bits->count -= 1;
    return (int)((bits->word >> bits->count) & 1);
}

#ifdef __cplusplus
}
#endif

#endif
