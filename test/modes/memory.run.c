/* Arrays, in-place updates, lists and local memory in reverse and forward mode, against central differences. */
// RUN: %clang -O0 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clang -O2 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clang -O3 -ffast-math %include -fpass-plugin=%plugin %s -o %t %runtime && %t
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

enum { N = 6 };

static double squares(double *x, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * x[i] * sin(x[i]);
    return sum;
}

static double heat(double *u, int n) {
    for (int step = 0; step < 5; step++) {
        double left = u[0];
        for (int i = 1; i < n - 1; i++) {
            double here = u[i];
            u[i] = here + 0.3 * (left - 2 * here + u[i + 1]) * here;
            left = here;
        }
    }
    double sum = 0;
    for (int i = 0; i < n; i++) sum += u[i] * u[i];
    return sum;
}

static double local(double *x, int n) {
    double a[8], sum = 0, *b = malloc(n * sizeof *b);
    for (int i = 0; i < 8; i++) a[i] = x[i % n] * i;
    for (int i = 0; i < n; i++) b[i] = exp(0.1 * x[i]) * a[(3 * i) % 8];
    for (int i = 0; i < n; i++) sum += b[i] * a[i % 8];
    free(b);
    return sum;
}

struct node {
    double value;
    struct node *next;
};

static double list(double *x, int n) {
    struct node nodes[N], *head = 0;
    for (int i = 0; i < n; i++) {
        nodes[i].value = x[i] * x[i];
        nodes[i].next = head;
        head = &nodes[i];
    }
    double sum = 1;
    for (struct node *at = head; at; at = at->next) sum = sum * at->value + at->value;
    return sum;
}

static int check(const char *name, double (*f)(double *, int), const double *reverse, const double *x) {
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        double y[N], h = 1e-6;
        memcpy(y, x, sizeof y), y[i] = x[i] + h;
        double above = f(y, N);
        memcpy(y, x, sizeof y), y[i] = x[i] - h;
        double slope = (above - f(y, N)) / (2 * h);
        if (!(fabs(reverse[i] - slope) <= 1e-6 * (1 + fabs(slope)))) {
            printf("%s %d: %.10g, differences say %.10g\n", name, i, reverse[i], slope);
            wrong = 1;
        }
    }
    return wrong;
}

/* The hook wants the name of a function, so this is a macro. */
#define TRY(f)                                                                    \
    do {                                                                          \
        double y[N], reverse[N] = {0}, forward[N];                                \
        memcpy(y, x, sizeof y);                                                   \
        __backsweep_gradient((void *)f, bs_dup, y, reverse, N);                   \
        for (int i = 0; i < N; i++) {                                             \
            double tangent[N] = {0};                                              \
            tangent[i] = 1;                                                       \
            memcpy(y, x, sizeof y);                                               \
            forward[i] = __backsweep_tangent((void *)f, bs_dup, y, tangent, N);   \
        }                                                                         \
        wrong |= check(#f " reverse", f, reverse, x) | check(#f " forward", f, forward, x); \
    } while (0)

int main(void) {
    double x[N];
    int wrong = 0;
    for (int i = 0; i < N; i++) x[i] = 0.3 + 0.1 * i;
    TRY(squares);
    TRY(heat);
    TRY(local);
    TRY(list);
    return wrong;
}
