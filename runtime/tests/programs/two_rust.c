/* Another Rust static library beside ours: neither sees the other's std. */
#include "backsweep_rt.h"
#include "expect.h"

double other_rust_sum(const double *values, size_t count);

int main(void) {
    struct bs_tape_state *tape = bs_tape_of_thread();
    double values[2];
    bs_tape_push_double(tape, 1.5);
    values[0] = bs_tape_pop_double(tape);
    values[1] = 2.5;
    EXPECT(other_rust_sum(values, 2) == 4.0);
    return 0;
}
