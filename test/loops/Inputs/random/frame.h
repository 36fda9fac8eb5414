/* Runs the gradient of one random function with all strategies, the one without, and the tangent, and compares. */
#include <fenv.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

#define MOST 40

typedef double function(double *a, double *b, const double *c, const int *p, int n);
typedef void gradient(double *a, double *da, double *b, double *db, const double *c, double *dc, const int *p, int n);
typedef double tangent(double *a, double *da, double *b, double *db, const double *c, double *dc, const int *p, int n);

/* WAY is `with` or `without`. */
#define GLUE(way, f) way##_##f
#define NAME(way, f) GLUE(way, f)
#define DIFFERENTIATE(f)                                                                                                       \
    void NAME(WAY, f)(double *a, double *da, double *b, double *db, const double *c, double *dc, const int *p, int n)          \
    {                                                                                                                          \
        __backsweep_gradient_void((void *)f, a, da, b, db, c, dc, bs_const, p, n);                                             \
    }
#define PUSH_FORWARD(f)                                                                                                        \
    double tangent_##f(double *a, double *da, double *b, double *db, const double *c, double *dc, const int *p, int n)         \
    {                                                                                                                          \
        return __backsweep_tangent((void *)f, a, da, b, db, c, dc, bs_const, p, n);                                            \
    }

#ifdef MAIN

static int compared, unbounded;
static unsigned long turn = 1;

static double any(void)
{
    turn = turn * 6364136223846793005ul + 1442695040888963407ul;
    return (double)(turn >> 40) / (1 << 24) * 1.6 - 0.8;
}

/* Of numbers that are none, too. */
static double worse(double worst, double x, double y, double scale)
{
    double apart = fabs(x - y) / (1 + scale);
    return apart <= worst ? worst : apart;
}

/* How far the two gradients lie apart, and the gradient from the tangent: b begins at `shift` of a, and c comes behind. */
static double compare(gradient *with, gradient *without, tangent *forward, int n, int shift)
{
    double values[3 * MOST], seed[3 * MOST], direction[3 * MOST], scale = 0, worst = 0;
    int p[MOST];
    compared++;
    for (int i = 0; i < 3 * MOST; i++) {
        values[i] = any();
        seed[i] = any();
        direction[i] = any();
    }
    for (int i = 0; i < n; i++)
        p[i] = (7 * i + 3) % n;
    double x[3][3 * MOST], d[3][3 * MOST];
    for (int way = 0; way < 3; way++) {
        memcpy(x[way], values, sizeof values);
        memcpy(d[way], way < 2 ? seed : direction, sizeof seed);
    }
    with(x[0], d[0], x[0] + shift, d[0] + shift, x[0] + 2 * MOST, d[0] + 2 * MOST, p, n);
    feclearexcept(FE_ALL_EXCEPT);
    without(x[1], d[1], x[1] + shift, d[1] + shift, x[1] + 2 * MOST, d[1] + 2 * MOST, p, n);
    double along = forward(x[2], d[2], x[2] + shift, d[2] + shift, x[2] + 2 * MOST, d[2] + 2 * MOST, p, n);
    double back = 0, size = fabs(along);
    for (int i = 0; i < 3 * MOST; i++) {
        /* What is read only keeps its direction, and its derivative is added to. */
        double out = i < 2 * MOST ? seed[i] * d[2][i] : 0;
        double in = (d[0][i] - (i < 2 * MOST ? 0 : seed[i])) * direction[i];
        along += out;
        back += in;
        size += fabs(out);
        scale = fmax(scale, fabs(d[1][i]));
    }
    /* Where values grow beyond all numbers on the way, nothing times infinity is any number. */
    if (fetestexcept(FE_OVERFLOW | FE_INVALID) || !isfinite(size) || size > 1e12) {
        unbounded++;
        return 0;
    }
    for (int i = 0; i < 3 * MOST; i++)
        worst = worse(worst, d[0][i], d[1][i], scale);
    /* Whoever called finds what the primal has left. */
    for (int i = 0; i < 3 * MOST; i++)
        worst = worse(worse(worst, x[0][i], x[2][i], fabs(x[2][i])), x[1][i], x[2][i], fabs(x[2][i]));
    /* Where single derivatives are beyond all measure, their sum has no digits left in either mode. */
    return scale > 1e12 ? worst : worse(worst, along, back, size);
}

static int failures;

static const int shifts[] = {MOST, 0, 1, 3};

static void run_shifts(const char *name, gradient *with, gradient *without, tangent *forward, double tolerance, int count)
{
    static const int lengths[] = {8, 9, 12, 17, 30};
    for (int i = 0; i < 5; i++)
        for (int j = 0; j < count; j++) {
            double apart = compare(with, without, forward, lengths[i], shifts[j]);
            if (!(apart <= tolerance)) {
                printf("%s: n %d, shift %d: %g\n", name, lengths[i], shifts[j], apart);
                failures++;
                return;
            }
        }
}

static void run(const char *name, gradient *with, gradient *without, tangent *forward, double tolerance)
{
    run_shifts(name, with, without, forward, tolerance, sizeof shifts / sizeof *shifts);
}

/* For functions that are told that their arrays lie apart. */
static void run_apart(const char *name, gradient *with, gradient *without, tangent *forward, double tolerance)
{
    run_shifts(name, with, without, forward, tolerance, 1);
}

#endif
