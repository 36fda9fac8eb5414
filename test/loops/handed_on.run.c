/* Loops that hand on numbers and integers of all kinds, in strips of all lengths and taken back, against differences: memory that
 * a strip may not read again, ways out of the loop, loops that are entered again, numbers that wrap around. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 %runtime -lm && %t.O2
// RUN: env BACKSWEEP_OPTIONS=strip=1 %clang -O1 %pass %include %s -o %t.1 %runtime -lm && %t.1
// RUN: env BACKSWEEP_OPTIONS=strip=8 %clang -O0 %pass %include %s -o %t.8 %runtime -lm && %t.8
// RUN: env BACKSWEEP_OPTIONS=strip=40 %clang -O3 %pass %include %s -o %t.40 %runtime -lm && %t.40
// RUN: env BACKSWEEP_OPTIONS='invert=floats;strip=16' %clang -O2 %pass %include %s -o %t.floats %runtime -lm && %t.floats
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

#define M 40
#define X(i) x[(unsigned)(i) % M]
#define C(i) c[(unsigned)(i) % M]
#define ARGUMENTS const double *restrict x, int *restrict c, double *w, int n
/* `begin` is run once, `body` for each `i`, and `end` is the result. */
#define SUM(name, begin, body, end)                                                                                    \
    static double name(ARGUMENTS)                                                                                      \
    {                                                                                                                  \
        double a = 0.1, f = 0;                                                                                         \
        begin;                                                                                                         \
        for (int i = 0; i < n; i++) {                                                                                  \
            body;                                                                                                      \
        }                                                                                                              \
        return end;                                                                                                    \
    }

static int table[M];
static int calls;

__attribute__((noinline)) static double walk(const double *x, double a, int depth)
{
    return depth <= 0 ? sin(a) * x[0] : walk(x, a * 0.9, depth - 1) * x[depth % M] + a;
}

/* What is handed on. */
SUM(floats, float s = 0, s = s * 0.5f + (float)(a * 0); f += X(i) * sin(a + s); a = 0.7 * a + X(i), f)
SUM(truth, _Bool b = 0, b = b ? X(i) > 0.1 : X(i) < 0; a += b ? X(i) * X(i) : 0.3 * X(i); f += sin(a), f)
SUM(wide, unsigned __int128 s = n, s = s * 164663225u * 99 + (s >> 64) + 12345;
    a += X(s >> 70) * X(i); f += sin(a) * X(s >> 20), f)
SUM(random_bytes, unsigned char s = n, s = s * 5u + 3u; a += X(s) * X(i); f += sin(a) * X(s >> 2), f)
SUM(swapped, double b = 1, double t = a; a = b; b = sin(t + 0.5 * b + X(i)); f += a * b * t, f)
SUM(lagging, double last = 0, f += last * X(i) * a; a = last; last = sin(X(i) + 0.3 * last), f)
SUM(rows, , double s = 0; int p = C(i); for (int j = 0; j < (C(i) & 3); j++) { s += X(p) * X(j); p += C(j + i); }
    a += 0.1 * s + X(i) * 0.2; f += sin(a), f)
SUM(inside, int p = 1, for (int j = 0; j < 3; j++) { f += X(p) * sin(a); p += C(j + i); } a += X(i) * 0.2; f += sin(a), f)

/* Memory. */
SUM(overwritten, , w[i % M] = X(i) * a; a += w[(i + 3) % M] * 0.3 + X(i); f += sin(a), f)
SUM(in_place, , double t = w[i % M]; a += t * 0.3 + X(i); f += sin(a) * t; w[i % M] = a, f)
SUM(overwritten_later, for (int k = 0; k < M; k++) w[k] = x[k] * x[k], a += w[i % M] * 0.3; f += sin(a),
    (memset(w, 0, sizeof(double) * M), f))
SUM(own, double b[M]; for (int k = 0; k < M; k++) b[k] = x[k] * x[k], a += b[i % M] * 0.3; f += sin(a), f)
SUM(freed, double *b = malloc(sizeof(double) * M); for (int k = 0; k < M; k++) b[k] = x[k] * x[k],
    a += b[i % M] * 0.3; f += sin(a), (free(b), f))
SUM(made_inside, , double *b = malloc(16); b[0] = X(i); b[1] = a;
    a += b[0] * b[1] * 0.3 + 0.1 * b[0]; f += sin(a); free(b), f)
SUM(changed_offsets, int p = 0, f += X(p) * X(i); p += C(i); C(i) = p & 3, f)
SUM(global_offsets, int p = 0; memcpy(table, c, sizeof table), f += X(p) * X(i); p += table[i % M],
    (memset(table, 1, sizeof table), f * X(p)))
SUM(of_calls, , double t = walk(x, a, C(i) & 3); a = 0.5 * a + 0.2 * t + X(i); f += sin(a), f)
SUM(beside_calls, , f += walk(x, a, C(i) & 3); a = 0.5 * a + 0.2 * X(i); f += sin(a), f)
SUM(counted_calls, calls = 0, calls += C(i); a = 0.5 * a + 0.2 * X(i) * X(calls); f += sin(a), f + calls * X(0))
SUM(volatile_step, volatile int v = 0, v++; a += X(i) * X(v); f += sin(a), f * a)

/* Ways out, and round. */
SUM(left_early, int p = 0, f += X(p) * sin(a); a += X(i); p += C(i); if (a > 2) break, f * a * X(p))
SUM(may_abort, , a += X(i) * X(i); f += sin(a); if (a > 1e9) abort(), f * a)
SUM(goes_on, int p = 0, if (C(i) == 1) continue; a += X(i) * X(i); f += sin(a) * X(p); p += C(i), f * a)
SUM(ways, , switch (C(i) & 3) { case 0: a += X(i); break; case 1: a = 0.5 * a; break; case 2: f += a * X(i);
    default: a = sin(a + X(i)); } f += sin(a), f)
SUM(branches, , if (X(i) > 0) { double v = sin(a); if (X(i + 1) > 0) f += v * v * v; a += 0.1 * v + X(i); }
    else a = a * 0.9 + 0.1 * X(i), f + a)
SUM(again, , for (int j = 0; j < i; j++) { a = 0.8 * a + X(i + j) * 0.03; f += sin(a) * a * 0.1; } f += a * X(i), f)
SUM(sum_before, double s = 0; for (int k = 0; k < n; k++) s += X(k) * X(k), a += X(i) * s * 0.05; f += sin(a), f)

/* Integers that are taken back. */
SUM(wraps, unsigned k = 0xfffffff0u, a += X(k) * X(i); f += sin(a); k += C(i) * 0x10000001u, f * a * X(k))
SUM(wraps_early, unsigned char k = 200, f += X(k) * X(i); k += C(i) * 50, f * X(k))
SUM(both_change, int p = 0; int q = 0, f += X(p) * X(q); p += C(i); q += p, f * X(p) * X(q))
SUM(mixed, int p = 0; int q = 0, f += X(p) * X(q); int t = p; p += q; q ^= t & 3; p += i, f * X(p) * X(q))
SUM(other_way, int p = 0, f += X(p) * X(i); p = C(i) - p, f)
SUM(old_and_new, int p = 1, int o = p; p += C(i); a = 0.5 * a + X(o) * X(p); f += sin(a) * X(p - o), f * a * X(p))
SUM(by_itself, int p = 1, f += X(p) * X(i); p += C(p), f * X(p))
SUM(tested, int p = 0, double t = X(p) * X(i); p += X(i) > 0.1 ? C(i) : 2; f += t * sin(f) * X(p), f * X(p))
SUM(last_inside, int p = 0, int q; int j = 0; do { q = p + C(j + i);
    f += X(q) * X(i) * sin(f); j++; } while (j < 3); p = q, f * X(p))

#define ALL(F)                                                                                                         \
    F(floats) F(truth) F(wide) F(random_bytes) F(swapped) F(lagging) F(rows) F(inside) F(overwritten) F(in_place)      \
    F(overwritten_later) F(own) F(freed) F(made_inside) F(changed_offsets) F(global_offsets) F(of_calls)               \
    F(beside_calls) F(counted_calls) F(volatile_step) F(left_early) F(may_abort) F(goes_on) F(ways) F(branches)        \
    F(again) F(sum_before) F(wraps) F(wraps_early) F(both_change) F(mixed) F(other_way) F(old_and_new) F(by_itself)    \
    F(tested) F(last_inside)
#define GRADIENT(f)                                                                                                    \
    static void gradient_##f(const double *x, double *dx, int *c, double *w, double *dw, int n)                        \
    {                                                                                                                  \
        __backsweep_gradient((void *)f, bs_dup, x, dx, bs_const, c, bs_dup, w, dw, bs_const, n);                       \
    }
ALL(GRADIENT)

#define ROW(f) {#f, f, gradient_##f},
static const struct {
    const char *name;
    double (*primal)(ARGUMENTS);
    void (*gradient)(const double *, double *, int *, double *, double *, int);
} rows_of[] = {ALL(ROW)};

/* Inputs are `x`, and behind it what `w` holds at first. */
static double inputs[2 * M];
static int offsets[M];

static double evaluate(size_t row, int n, int at, double by)
{
    double moved[2 * M];
    int c[M];
    memcpy(moved, inputs, sizeof moved);
    memcpy(c, offsets, sizeof c);
    moved[at] += by;
    return rows_of[row].primal(moved, c, moved + M, n);
}

static int check(size_t row, int n)
{
    double at[2 * M], found[2 * M] = {0};
    int c[M];
    memcpy(at, inputs, sizeof at);
    memcpy(c, offsets, sizeof c);
    rows_of[row].gradient(at, found, c, at + M, found + M, n);
    for (int i = 0; i < 2 * M; i++) {
        double expected = (evaluate(row, n, i, 1e-5) - evaluate(row, n, i, -1e-5)) / 2e-5;
        if (!(fabs(expected - found[i]) <= 2e-6 * (1 + fabs(expected)))) {
            printf("%s, %d passes, %d: %.10g, differences say %.10g\n", rows_of[row].name, n, i, found[i], expected);
            return 1;
        }
    }
    return 0;
}

int main(void)
{
    int wrong = 0;
    for (int i = 0; i < M; i++) {
        offsets[i] = (i * 7 + 3) % 5;
        inputs[i] = 0.4 * sin(12.9898 * i + 1) + 0.01 * i;
        inputs[M + i] = 0.3 * cos(3.3 * i);
    }
    for (size_t row = 0; row < sizeof rows_of / sizeof *rows_of; row++)
        for (int n = 0; n < 40; n += n < 20 ? 1 : 7)
            wrong |= check(row, n);
    return wrong;
}
