/* Rows that a function makes, finds in lists of its own and overwrites in each step are put back on the way back: one number for each number that
 * is overwritten goes on the tape, whatever is computed with it meanwhile. Where somebody may look at a row afterwards, it is as the function
 * left it. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 -lm %runtime && %t.O2
// RUN: %clang -O3 -march=x86-64-v3 %pass %include %s -o %t.v3 -lm %runtime && %t.v3
// RUN: %clang -O1 -fsanitize=address %pass %include %s -o %t.asan -lm %runtime && env ASAN_OPTIONS=detect_leaks=0 %t.asan
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define N 12
#define STEPS 4
#include "Inputs/differences.h"
#include "Inputs/rows.h"

static void multiply(double **a, double **b, double **c)
{
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < N; k++)
                sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
}

/* a = scale(a b), again and again. */
static void step(double **a, double **b, double **c)
{
    multiply(a, b, c);
    double scale = 1 / (1 + trace(c) * trace(c));
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            a[i][j] = scale * c[i][j] + 0.5 * a[i][j];
}

static double products(const double *x)
{
    double **a = make(), **b = make(), **c = make();
    fill(a, x);
    fill(b, x);
    for (int t = 0; t < STEPS; t++)
        step(a, b, c);
    double r = trace(a);
    end(a);
    end(b);
    end(c);
    return r;
}

/* The factor is made anew, and freed, in each step. */
static double made_in_steps(const double *x)
{
    double **a = make(), **c = make();
    fill(a, x);
    for (int t = 0; t < STEPS; t++) {
        double **b = make();
        fill(b, x);
        b[t][t] += a[0][t];
        step(a, b, c);
        end(b);
    }
    double r = trace(a);
    end(a);
    end(c);
    return r;
}

static double *kept;

/* One of the rows goes to a global, and stays. */
static double leaves_a_row(const double *x)
{
    double **a = make(), **b = make(), **c = make();
    fill(a, x);
    fill(b, x);
    kept = a[2];
    for (int t = 0; t < STEPS; t++)
        step(a, b, c);
    double r = trace(a);
    a[2] = NULL;
    end(a);
    end(b);
    end(c);
    return r;
}

/* The caller's list gets one. */
static double hands_back(const double *x, double **list)
{
    double **a = make(), **b = make(), **c = make();
    fill(a, x);
    fill(b, x);
    for (int t = 0; t < STEPS; t++)
        step(a, b, c);
    double r = trace(a);
    list[0] = a[1];
    a[1] = NULL;
    end(a);
    end(b);
    end(c);
    return r;
}

__attribute__((noinline)) static double **made_elsewhere(const double *x)
{
    double **a = make(), **b = make(), **c = make();
    fill(a, x);
    fill(b, x);
    for (int t = 0; t < STEPS; t++)
        step(a, b, c);
    end(b);
    end(c);
    return a;
}

static double returned(const double *x)
{
    double **a = made_elsewhere(x);
    double r = 0;
    for (int i = 0; i < N; i++)
        r += a[i][0] * a[N - 1 - i][i];
    end(a);
    return r;
}

static int is_left(const char *name, const double *before, const double *row)
{
    int same = memcmp(before, row, N * sizeof *row) == 0;
    if (!same)
        printf("%s: the row is not as the function left it\n", name);
    return same;
}

int main(void)
{
    double x[N], before[N], d[N] = {0}, shadow[N] = {0};
    for (int i = 0; i < N; i++)
        x[i] = 0.3 * sin(i);
    int wrong = 0;
    CHECK(products);
    CHECK(made_in_steps);
    CHECK(returned);
    CHECK(leaves_a_row);
    leaves_a_row(x);
    memcpy(before, kept, sizeof before);
    __backsweep_gradient_void((void *)leaves_a_row, bs_dup, x, d);
    wrong |= !is_left("leaves_a_row", before, kept);

    double *list[1] = {NULL}, *shadows[1] = {shadow};
    double value = hands_back(x, list);
    memcpy(before, list[0], sizeof before);
    __backsweep_gradient_void((void *)hands_back, bs_dup, x, d, bs_dup, list, shadows);
    wrong |= !is_left("hands_back", before, list[0]);
    wrong |= !isfinite(value);

    struct bs_tape_stats first, last;
    double again[N] = {0};
    bs_tape_stats(0, &first);
    __backsweep_gradient_void((void *)products, bs_dup, x, again);
    bs_tape_stats(0, &last);
    // Both arrays in each step, the rows and their shadows, and some words for each step.
    unsigned long most = 8 * (2 * STEPS * N * N + 12 * N + 32 * STEPS + 64);
    if (last.total - first.total > most) {
        printf("products: %lu bytes on tape, at most %lu\n", (unsigned long)(last.total - first.total), most);
        wrong = 1;
    }
    return wrong;
}
