/* Functions so long that what is kept for the way back stays in memory: with branches, with loops that read what was kept in front of them, and in
 * straight code. Against the same steps in loops, which carry derivatives along by hand. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 -DBRANCHES %pass %include %s -o %t.O2 -lm %runtime && %t.O2
// RUN: %clang -O1 -DBRANCHES %pass %include %s -S -emit-llvm -o - | FileCheck %s
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

// CHECK-LABEL: define internal {{.*}}@backsweep.gradient.branches(
// CHECK: store volatile double
// CHECK: load volatile double

enum { STEPS = 240, STATE = 8, INPUTS = 16, ROUNDS = 3, STATEMENTS = 1200 };

#define BRANCH(k)                                                                                  \
    if (v[(k) % 8] > 0.07 * ((k) % 11))                                                            \
        v[(3 * (k) + 1) % 8] = 0.5 * v[(5 * (k) + 2) % 8] * v[(k) % 8] + 0.1 * x[(k) % 16];        \
    else                                                                                           \
        v[((k) + 3) % 8] = sin(v[((k) + 1) % 8]) * 0.5 + v[(k) % 8] / (2.0 + v[(k) % 8] * v[(k) % 8]) + 0.2;
#define STATEMENT(k)                                                                               \
    v[((k) + 3) % 8] = sin(v[((k) + 1) % 8]) * 0.5 + v[(k) % 8] / (2.0 + v[(k) % 8] * v[(k) % 8]) + 0.1 * x[(k) % 16];
#define TEN(EACH, k)                                                                               \
    EACH(k) EACH((k) + 1) EACH((k) + 2) EACH((k) + 3) EACH((k) + 4)                                \
    EACH((k) + 5) EACH((k) + 6) EACH((k) + 7) EACH((k) + 8) EACH((k) + 9)
#define SIXTY(EACH, k)                                                                             \
    TEN(EACH, k) TEN(EACH, (k) + 10) TEN(EACH, (k) + 20) TEN(EACH, (k) + 30) TEN(EACH, (k) + 40) TEN(EACH, (k) + 50)
#define ALL(EACH, k) SIXTY(EACH, k) SIXTY(EACH, (k) + 60) SIXTY(EACH, (k) + 120) SIXTY(EACH, (k) + 180)

/* Half way there is a loop that needs in each round what was computed before it. */
static double branches(const double *x, int rounds)
{
    double v[STATE], sum = 0;
    memcpy(v, x, sizeof v);
    SIXTY(BRANCH, 0) SIXTY(BRANCH, 60)
    for (int round = 0; round < rounds; round++)
        sum += sin(v[2] * x[round]) * v[5];
    SIXTY(BRANCH, 120) SIXTY(BRANCH, 180)
    for (int i = 0; i < STATE; i++)
        sum += (i + 1) * v[i];
    return sum;
}

static double straight(const double *x)
{
    double v[STATE], sum = 0;
    memcpy(v, x, sizeof v);
    ALL(STATEMENT, 0) ALL(STATEMENT, 240) ALL(STATEMENT, 480) ALL(STATEMENT, 720) ALL(STATEMENT, 960)
    for (int i = 0; i < STATE; i++)
        sum += (i + 1) * v[i];
    return sum;
}

/* A number and its derivative in one direction. */
struct dual {
    double x, d;
};

static struct dual quotient(struct dual a)
{
    double below = 2.0 + a.x * a.x;
    return (struct dual){a.x / below, a.d * (2.0 - a.x * a.x) / (below * below)};
}

static void branch(struct dual *v, const double *x, int k, int direction)
{
    struct dual a = v[k % 8], b = v[(5 * k + 2) % 8], c = v[(k + 1) % 8], q = quotient(a);
    int is_input = k % 16 == direction;
    if (a.x > 0.07 * (k % 11))
        v[(3 * k + 1) % 8] = (struct dual){0.5 * b.x * a.x + 0.1 * x[k % 16], 0.5 * (b.d * a.x + b.x * a.d) + 0.1 * is_input};
    else
        v[(k + 3) % 8] = (struct dual){sin(c.x) * 0.5 + q.x + 0.2, cos(c.x) * c.d * 0.5 + q.d};
}

static void statement(struct dual *v, const double *x, int k, int direction)
{
    struct dual c = v[(k + 1) % 8], q = quotient(v[k % 8]);
    int is_input = k % 16 == direction;
    v[(k + 3) % 8] = (struct dual){sin(c.x) * 0.5 + q.x + 0.1 * x[k % 16], cos(c.x) * c.d * 0.5 + q.d + 0.1 * is_input};
}

static double by_hand(const double *x, int direction, int is_straight)
{
    struct dual v[STATE];
    double slope = 0;
    for (int i = 0; i < STATE; i++)
        v[i] = (struct dual){x[i], i == direction};
    for (int k = 0; k < (is_straight ? STATEMENTS : STEPS); k++) {
        if (k == STEPS / 2 && !is_straight)
            for (int round = 0; round < ROUNDS; round++) {
                double at = v[2].x * x[round], to = v[2].d * x[round] + v[2].x * (round == direction);
                slope += cos(at) * to * v[5].x + sin(at) * v[5].d;
            }
        (is_straight ? statement : branch)(v, x, k, direction);
    }
    for (int i = 0; i < STATE; i++)
        slope += (i + 1) * v[i].d;
    return slope;
}

static int check(const char *what, const double *got, const double *x, int is_straight)
{
    int wrong = 0;
    for (int i = 0; i < INPUTS; i++) {
        double expected = by_hand(x, i, is_straight);
        if (fabs(got[i] - expected) <= 1e-10 * fmax(1, fabs(expected)))
            continue;
        printf("%s, d/dx[%d]: %.17g, expected %.17g\n", what, i, got[i], expected);
        wrong = 1;
    }
    return wrong;
}

int main(void)
{
    int wrong = 0;
    for (int point = 0; point < 3; point++) {
        double x[INPUTS], dx[INPUTS] = {0};
        for (int i = 0; i < INPUTS; i++)
            x[i] = 0.4 + 0.3 * sin(1.7 * i + point);
        __backsweep_gradient((void *)branches, bs_dup, x, dx, ROUNDS);
        wrong |= check("branches", dx, x, 0);
#ifndef BRANCHES
        double dy[INPUTS] = {0};
        __backsweep_gradient((void *)straight, bs_dup, x, dy);
        wrong |= check("straight", dy, x, 1);
#endif
    }
    return wrong;
}
