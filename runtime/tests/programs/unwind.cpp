// Leaving a sweep by throw and by longjmp: the entry's mark brings the tape back.
#include "backsweep_rt.h"
#include "expect.h"
#include <csetjmp>
#include <stdexcept>
#include <thread>

#pragma GCC diagnostic ignored "-Wpragmas"
#pragma GCC diagnostic ignored "-Winfinite-recursion"

static void descend(bs_tape_state *tape, int depth) {
    bs_tape_push_double(tape, depth);
    if (depth == 0) {
        throw std::runtime_error("left");
    }
    descend(tape, depth - 1);
}

static std::jmp_buf place;

static void jump(bs_tape_state *tape, int depth) {
    bs_tape_push_double(tape, depth);
    if (depth == 0) {
        std::longjmp(place, 1);
    }
    jump(tape, depth - 1);
}

// A thread-local whose destructor still uses the tape.
struct Late {
    ~Late() {
        bs_tape_state *tape = bs_tape_of_thread();
        bs_tape_push_double(tape, 1.0);
        EXPECT(bs_tape_pop_double(tape) == 1.0);
    }
    int touched = 0;
};
static thread_local Late late;

int main() {
    bs_tape_state *tape = bs_tape_of_thread();
    bs_tape_push_double(tape, 42.0);
    void *mark = bs_tape_mark(tape);
    bool caught = false;
    try {
        descend(tape, 1000);
    } catch (const std::runtime_error &) {
        caught = true;
        bs_tape_release(tape, mark, "main");
    }
    EXPECT(caught);
    if (setjmp(place) == 0) {
        jump(tape, 1000);
    }
    bs_tape_release(tape, mark, "main");
    EXPECT(bs_tape_pop_double(tape) == 42.0);
    std::thread([] { late.touched = 1; bs_tape_of_thread(); }).join();
}
