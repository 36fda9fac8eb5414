/* An array that grows is handed to a model together with a context in which there are pointers: what the model finds by the context says
 * nothing of the array. One model copies from the array to what the context leads to. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime -lm && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O1
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

enum { N = 5 };

struct context {
    long calls;
    const double *offsets;
    struct context *next;
    double *kept;
};

typedef double (*model)(const double *, int, struct context *);

/* Calls itself, so that it stays a call. */
static double plain(const double *p, int n, struct context *c)
{
    c->calls++;
    c->next = c;
    if (n == 0)
        return c->offsets[0] * c->calls;
    return p[n - 1] * p[n - 1] * c->offsets[n % 2] + plain(p, n - 1, c->next);
}

static double keeping(const double *p, int n, struct context *c)
{
    if (n == N)
        memcpy(c->kept, p, N * sizeof *p);
    if (n == 0)
        return sin(c->kept[1] * c->offsets[0]);
    return p[n - 1] * c->kept[N - n] + keeping(p, n - 1, c);
}

struct work {
    double *trial;
    int room;
};

static void grow(struct work *w, int room)
{
    w->trial = realloc(w->trial, room * sizeof *w->trial);
    w->room = room;
}

static double f(const double *x, int n, model of)
{
    struct work w = {0};
    double kept[N], sum = 0;
    struct context c = {0, &x[1], 0, kept};
    for (int round = 1; round <= 3; round++) {
        int before = w.room;
        grow(&w, round == 3 ? n : round + 1);
        for (int i = before; i < w.room; i++)
            w.trial[i] = x[i] * round;
        if (w.room == n)
            sum += of(w.trial, n, &c);
        w.trial[0] *= 1.5;
    }
    free(w.trial);
    return sum;
}

static double by_plain(const double *x, int n)
{
    return f(x, n, plain);
}

static double by_keeping(const double *x, int n)
{
    return f(x, n, keeping);
}

static int check(const char *name, double (*of)(const double *, int), const double *gradient)
{
    double x[N] = {0.7, 1.3, -0.4, 0.9, 1.1};
    for (int i = 0; i < N; i++) {
        const double step = 1e-6, at = x[i];
        x[i] = at + step;
        double above = of(x, N);
        x[i] = at - step;
        double below = of(x, N);
        x[i] = at;
        double difference = (above - below) / (2 * step);
        if (!(fabs(difference - gradient[i]) <= 1e-7 * (1 + fabs(difference)))) {
            printf("%s, %d: %.12g, by differences %.12g\n", name, i, gradient[i], difference);
            return 1;
        }
    }
    return 0;
}

int main(void)
{
    double x[N] = {0.7, 1.3, -0.4, 0.9, 1.1}, plainly[N] = {0}, keepingly[N] = {0};
    __backsweep_gradient_void((void *)by_plain, x, plainly, N);
    __backsweep_gradient_void((void *)by_keeping, x, keepingly, N);
    return check("plain", by_plain, plainly) + check("keeping", by_keeping, keepingly);
}
