/* Values that pass through globals, in every mode, against central differences and forward mode. */
// RUN: %clang -O0 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clang -O2 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clang -O3 -ffast-math %include -fpass-plugin=%plugin %s -o %t %runtime && %t
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

enum { N = 5 };

/* A scalar and a scratch array of this file, and one that other files may name. */
static double sum;
static double scratch[N];
double shared[2];

static double accumulate(double *x, int n) {
    sum = 0, shared[0] = 1;
    for (int i = 0; i < n; i++) scratch[i] = x[i] * x[(i + 1) % n];
    for (int i = 0; i < n; i++) sum += sin(scratch[i]) * shared[0], shared[0] = shared[0] * scratch[i];
    return sum * sum + shared[0];
}

/* What is there on entry is a constant; the next call does not see this call's derivatives. */
static double state[3] = {1.5, 2.5, 3.5};

static double stateful(double *x, int n) {
    double r = 0;
    for (int i = 0; i < n; i++) {
        r += x[i] * state[i % 3];
        state[i % 3] = 0.5 * state[i % 3] + x[i] * x[i];
    }
    return r;
}

static double counted(double *x, int n) {
    static double largest = -1;
    static int calls = 0;
    calls++;
    largest = x[0];
    for (int i = 1; i < n; i++)
        if (x[i] * x[i] > largest) largest = x[i] * x[i];
    return largest * calls / calls;
}

/* Tables of pointers: constant, and one that anybody may change. */
static double row0[N], row1[N];
static double *const rows[2] = {row0, row1};
double *open_rows[2] = {row1, row0};

static double tables(double *x, int n) {
    for (int i = 0; i < n; i++) rows[i % 2][i] = x[i] * x[i];
    double r = 0;
    for (int i = 0; i < n; i++) r += open_rows[(i + 1) % 2][i] * x[n - 1 - i];
    return r + row0[0] * row1[1];
}

/* Two buffers that change places, and are left so for the next call. */
static double even[N], odd[N];
static double *current = even, *next = odd;

static double swaps(double *x, int n) {
    for (int i = 0; i < n; i++) current[i] = x[i];
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < n; i++) next[i] = 0.5 * current[i] + 0.25 * current[(i + 1) % n] * current[i];
        double *old = current;
        current = next, next = old;
    }
    double r = 0;
    for (int i = 0; i < n; i++) r += current[i] * x[i];
    return r;
}

/* Too large for the stack. */
static double large[100000];

static double sparse(double *x, int n) {
    double r = 0;
    for (int i = 0; i < n; i++) large[i * 19999 % 100000] = exp(x[i]);
    for (int i = 0; i < n; i++) r += large[i * 19999 % 100000] * x[i];
    return r;
}

static _Thread_local double own[2];

static double threads(double *x, int n) {
    own[0] = own[1] = x[0];
    for (int i = 0; i < n; i++) own[i % 2] = own[(i + 1) % 2] * x[i] + own[i % 2];
    return own[0] * own[1];
}

static struct {
    int kind;
    double value;
    double *place;
    const char *name;
    float small[2];
} record = {3, 2.0, scratch, "record", {1, 2}};

static double structure(double *x, int n) {
    record.value = x[0] * x[1];
    record.small[1] = (float)x[2];
    record.place[1] = x[3] * record.value;
    record.kind = (int)strlen(record.name);
    return record.kind * record.value * scratch[1] + record.small[1] * record.small[1] + n * x[4];
}

static double (*const all[])(double *, int) = {accumulate, stateful, counted, tables, swaps, sparse, threads, structure};

static void reset(void) {
    for (int i = 0; i < 3; i++) state[i] = 1.5 + i;
    sum = 17, shared[0] = 0.1, record.small[1] = 2;
}

static int wrong;

static void expect(const char *what, int i, double found, double expected, double tolerance) {
    if (fabs(found - expected) <= tolerance * (1 + fabs(expected))) return;
    printf("%s %d: %.12g, expected %.12g\n", what, i, found, expected);
    wrong = 1;
}

static double slope(double (*f)(double *, int), const double *x, int i, double h) {
    double y[N], above;
    memcpy(y, x, sizeof y), y[i] = x[i] + h;
    reset();
    above = f(y, N);
    memcpy(y, x, sizeof y), y[i] = x[i] - h;
    reset();
    return (above - f(y, N)) / (2 * h);
}

#define START (memcpy(y, x, sizeof y), reset())

/* The hooks want the name of a function, so this is a macro. */
#define TRY(f)                                                                                          \
    do {                                                                                                \
        /* Differences of floats are coarse; of a square they are exact with any step. */               \
        double y[N], slopes[N], coarse = (void *)f == (void *)structure;                                \
        double step = coarse ? 1e-1 : 1e-6, tolerance = 1e-6;                                           \
        for (int i = 0; i < N; i++) slopes[i] = slope(f, x, i, step);                                   \
        for (int time = 0; time < 2; time++) {                                                          \
            double d[N] = {0};                                                                          \
            START;                                                                                      \
            __backsweep_gradient((void *)f, bs_dup, y, d, N);                                           \
            for (int i = 0; i < N; i++) expect(#f " gradient", i, d[i], slopes[i], tolerance);          \
        }                                                                                               \
        double first[N] = {0}, second[N] = {0}, both[2][N] = {{0}};                                     \
        START;                                                                                          \
        void *one = __backsweep_augmented((void *)f, bs_dup, y, first, N);                              \
        START;                                                                                          \
        void *two = __backsweep_augmented((void *)f, bs_dup, y, second, N);                             \
        __backsweep_reverse((void *)f, bs_dup, y, first, N, 1.0, one);                                  \
        __backsweep_reverse((void *)f, bs_dup, y, second, N, 2.0, two);                                 \
        START;                                                                                          \
        __backsweep_gradient((void *)f, bs_width, 2, bs_dup, y, both[0], both[1], N, bs_seed, 1.0, -2.0); \
        for (int i = 0; i < N; i++) {                                                                   \
            double d[N] = {0};                                                                          \
            d[i] = 1;                                                                                   \
            expect(#f " split", i, first[i], slopes[i], tolerance);                                     \
            expect(#f " second tape", i, second[i], 2 * slopes[i], tolerance);                          \
            expect(#f " width", i, both[0][i], slopes[i], tolerance);                                   \
            expect(#f " width", i, both[1][i], -2 * slopes[i], tolerance);                              \
            START;                                                                                      \
            expect(#f " tangent", i, __backsweep_tangent((void *)f, bs_dup, y, d, N), slopes[i], tolerance); \
        }                                                                                               \
    } while (0)

int main(void) {
    double x[N] = {0.7, -1.1, 0.4, 1.3, -0.6};
    (void)all;
    TRY(accumulate);
    TRY(stateful);
    TRY(counted);
    TRY(tables);
    TRY(swaps);
    TRY(sparse);
    TRY(threads);
    TRY(structure);
    return wrong;
}
