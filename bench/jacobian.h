/* What a kernel with much straight-line code gives to the measurement of local Jacobians. Each file is compiled twice, with them and with
 * `disable=preaccumulate`, under two names, so that both take turns in one program. */
#ifndef BENCH_JACOBIAN_H
#define BENCH_JACOBIAN_H

#include <math.h>
#include <stddef.h>

#include "backsweep.h"

struct jacobian_kernel {
    const char *name;
    /* Numbers that come in and out of `batch`, in elements of so many each. */
    size_t elements, in, out;
    void (*set_up)(double *x);
    void (*batch)(const double *x, double *y);
    /* Tangents in as many directions as an element has numbers: the arrays stand one behind the other. */
    void (*tangents)(const double *x, const double *dx, double *y, double *dy);
    /* A number that the kernel makes of them, and the gradient that is added to dx. */
    double (*number)(const double *x, double *work);
    void (*gradient)(const double *x, double *dx, double *work, double *dwork);
    size_t work;
};

#define JOIN(a, b) a##_##b
#define NAMED(a, b) JOIN(a, b)

/* Ends the file of a kernel that has `set_up`, `element` and `number`. VARIANT is `with` or `without`. */
#define JACOBIAN_KERNEL(title, element_count, in_count, out_count, work_count)                                          \
    static void batch(const double *restrict x, double *restrict y)                                                    \
    {                                                                                                                  \
        for (int i = 0; i < (element_count); i++)                                                                      \
            element(x + i * (in_count), y + i * (out_count));                                                          \
    }                                                                                                                  \
    static void tangents(const double *x, const double *dx, double *y, double *dy)                                     \
    {                                                                                                                  \
        __backsweep_tangent_void((void *)batch, bs_width, in_count, bs_dup_strided,                                    \
                                 (element_count) * (in_count) * sizeof(double), x, dx, bs_dup_strided,                 \
                                 (element_count) * (out_count) * sizeof(double), y, dy);                               \
    }                                                                                                                  \
    static void gradient(const double *x, double *dx, double *work, double *dwork)                                     \
    {                                                                                                                  \
        __backsweep_gradient_void((void *)number, x, dx, bs_dup_noneed, work, dwork);                                  \
    }                                                                                                                  \
    const struct jacobian_kernel NAMED(title, VARIANT) = {#title, element_count, in_count, out_count, set_up, batch,   \
                                                          tangents, number, gradient, work_count};

/* Numbers between -1 and 1 that are the same in every run. */
static inline double bench_number(size_t i)
{
    return sin(12.9898 * (double)i + 4.1414 * (double)(i % 17));
}

#endif
