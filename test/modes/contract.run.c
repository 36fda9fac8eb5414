/* Calls that are contracted to their partial derivatives: against central differences, in one direction and in two, with memory that is read,
 * with a derivative of zero beside a partial that is infinite, with output that comes once; and the tape holds the partials alone. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && env BACKSWEEP_TAPE_CHECK=1 %t.O0 | FileCheck %s
// RUN: %clang -O2 %pass %include %s -o %t.O2 %runtime -lm && %t.O2 | FileCheck %s
// RUN: %clang -O3 -ffast-math -fno-finite-math-only %pass %include %s -o %t.O3 %runtime -lm && %t.O3 | FileCheck %s
// RUN: %clang -O1 -g -fsanitize=address %pass %include %s -o %t.asan %runtime -lm && %t.asan | FileCheck %s
// RUN: env BACKSWEEP_OPTIONS=preaccumulate=always %clang -O2 %pass %include %s -o %t.always %runtime -lm && %t.always | FileCheck %s
// RUN: env BACKSWEEP_OPTIONS=disable=contract %clang -O2 %pass %include -DOFF %s -o %t.off %runtime -lm && %t.off | FileCheck %s
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define CONTRACT __attribute__((annotate("backsweep_contract")))
#define CELLS 50
#define STEPS 40

/* Newton's method for y + c y^3 = a, with how many passes that takes told to nobody. */
CONTRACT static double root(double a, double c)
{
    double y = a;
    for (int i = 0; i < 60; i++) {
        const double d = (y + c * y * y * y - a) / (1 + 3 * c * y * y);
        y -= d;
        if (fabs(d) < 1e-14)
            break;
    }
    return y;
}

/* Every step looks at what the step before has left, so that no pass can be reversed before the others. */
static double stepped(double *u, const double *k)
{
    double sum = 0;
    for (int t = 0; t < STEPS; t++)
        for (int i = 0; i < CELLS; i++)
            u[i] = 1.05 * root(u[i] * (1 + 0.02 * k[i]), k[i]) + 0.01 * sin(u[(i + 1) % CELLS]);
    for (int i = 0; i < CELLS; i++)
        sum += u[i] * u[i] * (1 + i % 3);
    return sum;
}

/* One argument is a constant, one a table that is read, and one result an argument of the next. */
CONTRACT static double interpolate(const double *table, int n, double x, double scale)
{
    double value = 0, power = scale;
    for (int i = 0; i < n; i++) {
        value += table[i] * sin(power);
        power *= x;
    }
    return value;
}

static const double table[6] = {0.5, -0.3, 0.2, 0.7, -0.1, 0.4};

static double looked_up(double *u, const double *k)
{
    double s = 1, sum = 0;
    for (int t = 0; t < STEPS; t++)
        for (int i = 0; i < CELLS; i++) {
            s = interpolate(table, 6, interpolate(table, 5, s, 0.8), s * k[i]) + 0.2 * u[i];
            sum += s * s;
        }
    return sum;
}

/* The same number twice, and a function that is called where another is contracted in it. */
CONTRACT static double twice(double a, double b) { return root(a, b * b) * root(b, 0.5) + a; }

static double nested(double *u, const double *k)
{
    double s = 1;
    for (int t = 0; t < STEPS; t++)
        for (int i = 0; i < CELLS; i++)
            s = twice(s, s) * k[i] + u[i];
    return s * s;
}

/* Where u is zero the partial is infinite, and what it is multiplied with is exactly zero. */
CONTRACT static double inverse_sum(double a, double b)
{
    double sum = 0;
    for (int i = 1; i < 9; i++)
        sum += b / (a * i);
    return sum;
}

static double guarded(double *u, const double *k)
{
    double s = 1;
    for (int t = 0; t < 3; t++)
        for (int i = 0; i < CELLS; i++) {
            const double far = inverse_sum(i == 7 ? 0 * u[i] : 1 + u[i] * u[i], s);
            s = 0.3 * s + (i == 7 ? k[i] : far * k[i]);
        }
    return s;
}

/* Floats of the smaller kind. */
CONTRACT static float small(float a, float b)
{
    float y = a;
    for (int i = 0; i < 20; i++)
        y = 0.5f * y + 0.25f * sinf(y * b);
    return y + a * b;
}

static double narrow(double *u, const double *k)
{
    float s = 1;
    for (int t = 0; t < 4; t++)
        for (int i = 0; i < CELLS; i++)
            s = 0.5f * small(s, (float)k[i]) + (float)u[i];
    return s;
}

/* Whoever asks is told once. */
CONTRACT static double telling(double a, double b)
{
    double y = a;
    for (int i = 0; i < 5; i++)
        y = cos(y * b);
    printf("told\n");
    return y;
}

static double told(double *u, const double *k)
{
    double s = 1;
    for (int i = 0; i < 3; i++)
        s = telling(s + u[i], k[i]);
    return s;
}

/* Not contracted: what writes behind its arguments, counts, calls itself or has too many active numbers. */
static int count;

CONTRACT static double leaves(double a, double *memory)
{
    for (int i = 0; i < 4; i++)
        memory[0] = a = sin(a) + 0.1 * memory[0];
    return a;
}

CONTRACT static double counts(double a)
{
    for (int i = 0; i < 4; i++, count++)
        a = sin(a) * (1 + count % 2);
    return a;
}

CONTRACT static double again(double a, int n) { return n ? 0.9 * again(sin(a), n - 1) + a : a; }

CONTRACT static double many(double a, double b, double c, double d, double e)
{
    for (int i = 0; i < 4; i++)
        a = sin(a * b) + c * d - e * a;
    return a;
}

static double others(double *u, const double *k)
{
    double s = 1;
    count = 0;
    for (int i = 0; i < CELLS; i++) {
        s = leaves(s, &u[i]) + counts(k[i] * s) + again(0.5 * s, 3);
        s = 0.2 * many(s, k[i], u[i], cos(s), k[i] * u[i]);
    }
    return s;
}

typedef double model(double *u, const double *k);
struct kept {
    void *tape;
    double value;
};
struct kept __backsweep_augmented_kept(void *, ...);
void __backsweep_reverse_tape(void *, ...);

static double u[CELLS], k[CELLS], du[CELLS], dk[CELLS], du2[CELLS], dk2[CELLS];
static int wrong;

static double run(model *f, double *changed, int cell, double by)
{
    for (int i = 0; i < CELLS; i++) {
        u[i] = 0.5 + 0.4 * sin(i);
        k[i] = 0.3 + 0.1 * cos(i);
    }
    changed[cell] += by;
    return f ? f(u, k) : 0;
}

static void compare(const char *name, model *f, double h, double tolerance)
{
    for (int cell = 0; cell < CELLS; cell += 7)
        for (int side = 0; side < 2; side++) {
            double *changed = side ? k : u, got = (side ? dk : du)[cell];
            const double want = (run(f, changed, cell, h) - run(f, changed, cell, -h)) / (2 * h);
            if (!(fabs(got - want) <= tolerance * (1e-2 + fabs(want)))) {
                printf("wrong: %s, %s of cell %d: %.12g, by differences %.12g\n", name, side ? "k" : "u", cell, got, want);
                wrong = 1;
            }
        }
}

static void most(const char *name, size_t bytes)
{
    static size_t highest;
    struct bs_tape_stats stats;
    bs_tape_stats(bs_tape_of_thread(), &stats);
#ifndef OFF
    if (stats.peak > highest + bytes) {
        printf("wrong: %s leaves %zu bytes on the tape\n", name, (size_t)stats.peak);
        wrong = 1;
    }
#else
    (void)name, (void)bytes;
#endif
    highest = stats.peak;
}

static void clear(void)
{
    memset(du, 0, sizeof du);
    memset(dk, 0, sizeof dk);
    run(0, u, 0, 0);
}

#define GRADIENT(f) (clear(), __backsweep_gradient_void((void *)f, bs_dup, u, du, bs_dup, k, dk))

int main(void)
{
    /* Two partials a call, one number for each sine, and the records of one call at a time. */
    GRADIENT(stepped);
    most("stepped", 4 * sizeof(double) * CELLS * STEPS);
    compare("stepped", stepped, 1e-6, 1e-6);
    /* The same in two directions, of which the partials know nothing. */
    clear();
    __backsweep_gradient_void((void *)stepped, bs_width, 2, bs_dup, u, du, du2, bs_dup, k, dk, dk2, bs_seed, 1.0, -2.0);
    compare("stepped, the first of two", stepped, 1e-6, 1e-6);
    for (int i = 0; i < CELLS; i++)
        if (!(fabs(du2[i] + 2 * du[i]) + fabs(dk2[i] + 2 * dk[i]) <= 1e-9 * (fabs(du[i]) + fabs(dk[i]) + 1)))
            printf("wrong: in two directions\n"), wrong = 1;
    /* Forward mode and the two halves of split mode, where such a function is called as any other. */
    double sum = 0, ones[CELLS], tangent;
    for (int i = 0; i < CELLS; i++) {
        ones[i] = 1;
        sum += du[i] + dk[i];
    }
    run(0, u, 0, 0);
    tangent = __backsweep_tangent((void *)stepped, bs_dup, u, ones, bs_dup, k, (double[CELLS]){0});
    for (int i = 0; i < CELLS; i++)
        ones[i] = 1;
    run(0, u, 0, 0);
    tangent += __backsweep_tangent((void *)stepped, bs_dup, u, (double[CELLS]){0}, bs_dup, k, ones);
    if (!(fabs(tangent - sum) <= 1e-9 * fabs(sum)))
        printf("wrong: forward mode, %.12g and not %.12g\n", tangent, sum), wrong = 1;
    memcpy(du2, du, sizeof du);
    memcpy(dk2, dk, sizeof dk);
    clear();
    struct kept kept = __backsweep_augmented_kept((void *)stepped, bs_dup, u, du, bs_dup, k, dk);
    __backsweep_reverse_tape((void *)stepped, bs_dup, u, du, bs_dup, k, dk, 1.0, kept.tape);
    for (int i = 0; i < CELLS; i++)
        if (!(fabs(du2[i] - du[i]) + fabs(dk2[i] - dk[i]) <= 1e-9 * (fabs(du[i]) + fabs(dk[i]) + 1)))
            printf("wrong: in split mode\n"), wrong = 1;
    GRADIENT(looked_up);
    compare("looked_up", looked_up, 1e-6, 1e-5);
    GRADIENT(nested);
    compare("nested", nested, 1e-6, 1e-5);
    GRADIENT(guarded);
    compare("guarded", guarded, 1e-6, 1e-6);
    GRADIENT(narrow);
    compare("narrow", narrow, 1e-2, 2e-2);
    GRADIENT(others);
    compare("others", others, 1e-6, 1e-5);
    // CHECK-NOT: wrong
    // CHECK: begin
    // CHECK-COUNT-3: told
    // CHECK-NOT: told
    // CHECK: end
    printf("begin\n");
    GRADIENT(told);
    printf("end\n");
    compare("told", told, 1e-6, 1e-6);
    // CHECK-NOT: wrong
    return wrong;
}
