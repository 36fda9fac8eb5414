/* Derivatives held against central differences. Whoever includes it says how many numbers, N, there are. */
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef double fun(const double *);

static int check(const char *name, fun *f, const double *x, const double *d)
{
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        double h = 1e-5, up[N], down[N];
        memcpy(up, x, sizeof up);
        memcpy(down, x, sizeof down);
        up[i] += h;
        down[i] -= h;
        double expected = (f(up) - f(down)) / (2 * h);
        if (!(fabs(d[i] - expected) <= 1e-6 * (1 + fabs(expected)))) {
            printf("%s: d[%d] is %.12g, expected %.12g\n", name, i, d[i], expected);
            wrong = 1;
        }
    }
    return wrong;
}

#define CHECK(f)                                                                                                                                     \
    do {                                                                                                                                             \
        double d[N] = {0};                                                                                                                           \
        __backsweep_gradient_void((void *)f, bs_dup, x, d);                                                                                          \
        wrong |= check(#f, f, x, d);                                                                                                                 \
    } while (0)
