/* What the programs of rows.py compare with: the gradient of a weighted sum of all that a function leaves, against forward mode. */
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

#define CELLS (2 * (3 * (MOST + 6) + 8))

static int failures;

#define TEST(f, real)                                                                                                          \
    void reverse_##f(real *w, real *dw, real *more, real *dmore, real *c, real *dc, int n)                                     \
    {                                                                                                                          \
        __backsweep_gradient_void((void *)f, bs_dup_noneed, w, dw, bs_dup_noneed, more, dmore, c, dc, n);                      \
    }                                                                                                                          \
    static void forward_##f(real *w, real *dw, real *more, real *dmore, real *c, real *dc, int n)                              \
    {                                                                                                                          \
        __backsweep_tangent_void((void *)f, w, dw, more, dmore, c, dc, n);                                                     \
    }                                                                                                                          \
    static void fill_##f(real *all)                                                                                            \
    {                                                                                                                          \
        for (int i = 0; i < 3 * CELLS; i++)                                                                                    \
            all[i] = (real)sin(1.7 * i + 0.3);                                                                                 \
    }                                                                                                                          \
    static void run_##f(void)                                                                                                  \
    {                                                                                                                          \
        static real x[3 * CELLS], dx[3 * CELLS], gradient[3 * CELLS];                                                          \
        static const int lengths[] = {0, 1, 2, 3, 7, MOST - 1, MOST};                                                          \
        for (int at = 0; at < 7; at++) {                                                                                       \
            int n = lengths[at];                                                                                               \
            fill_##f(x);                                                                                                       \
            for (int i = 0; i < 3 * CELLS; i++)                                                                                \
                dx[i] = i < 2 * CELLS ? (real)cos(0.9 * i) : 0;                                                                \
            reverse_##f(x, dx, x + CELLS, dx + CELLS, x + 2 * CELLS, dx + 2 * CELLS, n);                                       \
            memcpy(gradient, dx, sizeof gradient);                                                                             \
            for (int k = 0; k < 3 * CELLS; k++) {                                                                              \
                double sum = 0, size = 0;                                                                                      \
                fill_##f(x);                                                                                                   \
                memset(dx, 0, sizeof dx);                                                                                      \
                dx[k] = 1;                                                                                                     \
                forward_##f(x, dx, x + CELLS, dx + CELLS, x + 2 * CELLS, dx + 2 * CELLS, n);                                   \
                for (int i = 0; i < 2 * CELLS; i++) {                                                                          \
                    sum += (real)cos(0.9 * i) * dx[i];                                                                         \
                    size += fabs(cos(0.9 * i) * dx[i]);                                                                        \
                }                                                                                                              \
                if (!(fabs(sum - gradient[k]) <= (sizeof(real) == 4 ? 1e-3 : 1e-10) * (1 + size))) {                           \
                    printf("%s, %d passes: the derivative in %d is %.17g, forward %.17g\n", #f, n, k, (double)gradient[k], sum); \
                    failures++;                                                                                                \
                    break;                                                                                                     \
                }                                                                                                              \
            }                                                                                                                  \
        }                                                                                                                      \
    }
