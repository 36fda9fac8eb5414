/* What a program of the benchmark gives to the measurement. The hand-written adjoints were written from the mathematics of
 * the primal before the derivative of the plugin was looked at; they are checked by central differences in every run. */
#ifndef BENCH_PROGRAM_H
#define BENCH_PROGRAM_H

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "backsweep.h"

struct bench_program {
    const char *name;
    /* Numbers to differentiate for, and numbers of scratch memory that the primal overwrites. */
    size_t inputs, work;
    void (*set_up)(double *x);
    double (*primal)(const double *x, double *work);
    /* Both add the gradient to dx. dwork is zero on entry, and zero again afterwards. */
    void (*ours)(const double *x, double *dx, double *work, double *dwork);
    void (*by_hand)(const double *x, double *dx, double *work, double *dwork);
};

#ifndef BENCH_PROGRAM
/* Ends the file of a program that has `set_up`, `primal` and `by_hand`. */
#define BENCH_PROGRAM(title, input_count, work_count)                                                                  \
    static void ours(const double *x, double *dx, double *work, double *dwork)                                         \
    {                                                                                                                  \
        __backsweep_gradient_void((void *)primal, x, dx, bs_dup_noneed, work, dwork);                                  \
    }                                                                                                                  \
    BENCH_DESCRIBE(title, input_count, work_count)
/* The same where both adjoints are told that dx holds zeros, and may use it as they like. */
#define BENCH_PROGRAM_ON_ZEROS(title, input_count, work_count)                                                         \
    static void ours(const double *x, double *dx, double *work, double *dwork)                                         \
    {                                                                                                                  \
        __backsweep_gradient_void((void *)primal, bs_dup_fresh, x, dx, bs_dup_noneed, work, dwork);                    \
    }                                                                                                                  \
    BENCH_DESCRIBE(title, input_count, work_count)
#define BENCH_DESCRIBE(title, input_count, work_count)                                                                 \
    const struct bench_program bench_##title = {#title, input_count, work_count, set_up, primal, ours, by_hand};
#endif

/* Numbers between -1 and 1 that are the same in every run. */
static inline double bench_number(size_t i)
{
    return sin(12.9898 * (double)i + 4.1414 * (double)(i % 17));
}

#endif
