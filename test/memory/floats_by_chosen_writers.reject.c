/* Who writes and reads the memory is chosen at run time: one takes it for doubles, as it is stepped through where it is copied, another for twice
 * as many floats. Two floats that are moved as a double would be added as a double. */
// RUN: %refused %t.o %clang -g -O0 %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t2.o %clang -g -O2 %include %pass -c %s > %t2.text
// RUN: FileCheck %s < %t2.text
#include "backsweep.h"
#include <stdlib.h>
#include <string.h>

struct format {
    void (*write)(void *, const double *, int);
    double (*read)(const void *, int);
};

static void write_doubles(void *b, const double *x, int n) {
    for (int i = 0; i < n; i++) ((double *)b)[i] = x[i] * x[0];
}

static double read_doubles(const void *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += ((const double *)b)[i] * ((const double *)b)[i];
    return sum;
}

static void write_floats(void *b, const double *x, int n) {
    for (int i = 0; i < 2 * n; i++) ((float *)b)[i] = (float)(x[i / 2] * x[0]);
}

static double read_floats(const void *b, int n) {
    double sum = 0;
    for (int i = 0; i < 2 * n; i++) sum += ((const float *)b)[i] * ((const float *)b)[i];
    return sum;
}

/* The same, by functions that stay calls. */
static void write_halves(void *b, const double *x, int n) {
    if (n > 1) write_halves(b, x, n / 2);
    write_floats(b, x, n);
}

static double read_halves(const void *b, int n) {
    return read_floats(b, n) + (n > 1 ? read_halves(b, n / 2) : 0);
}

static const struct format formats[] = {{write_doubles, read_doubles}, {write_floats, read_floats}};
static const struct format called[] = {{write_doubles, read_doubles}, {write_halves, read_halves}};

static double inlined(const double *x) {
    double sum = 0;
    for (int at = 0; at < 2; at++) {
        double *a = malloc(4 * sizeof *a), *b = malloc(4 * sizeof *b);
        formats[at].write(a, x, 4);
        // CHECK-DAG: floats_by_chosen_writers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep:{{.*}}copies active memory{{.*}}[BS023]
        memcpy(b, a, 4 * sizeof *b);
        sum += formats[at].read(b, 4) + 0.5 * formats[at].read(a, 4);
        if (at == 0) sum += b[1] * a[2];
        free(a);
        free(b);
    }
    return sum;
}

static double few(const double *x) {
    double sum = 0;
    for (int at = 0; at < 2; at++) {
        double *a = malloc(6 * sizeof *a), *b = malloc(6 * sizeof *b);
        called[at].write(a, x, 6);
        // CHECK-DAG: floats_by_chosen_writers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep:{{.*}}copies active memory{{.*}}[BS023]
        memcpy(b, a, 6 * sizeof *b);
        sum += called[at].read(b, 6) + 0.5 * called[at].read(a, 6);
        if (at == 0) sum += b[1] * a[2];
        free(a);
        free(b);
    }
    return sum;
}

static double many(const double *x, int n) {
    double sum = 0;
    for (int at = 0; at < 2; at++) {
        double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
        called[at].write(a, x, n);
        // CHECK-DAG: floats_by_chosen_writers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep:{{.*}}copies active memory{{.*}}[BS023]
        memcpy(b, a, n * sizeof *b);
        sum += called[at].read(b, n) + 0.5 * called[at].read(a, n);
        if (at == 0) sum += b[1] * a[2];
        free(a);
        free(b);
    }
    return sum;
}

/* A struct that is too long to be copied member by member is no array of its doubles, either. */
struct state {
    double a[100];
    float b[40];
    const double *from;
    double c[30];
};

static double halved(struct state *s, int depth) {
    double sum = depth > 0 ? halved(s, depth - 1) : *s->from;
    for (int i = 0; i < 100; i++) sum += (s->a[i] *= 0.5) * s->b[i % 40] * s->c[i % 30];
    return sum;
}

static double copied(const double *x) {
    struct state s, *t = malloc(sizeof *t);
    for (int i = 0; i < 100; i++) t->a[i] = t->c[i % 30] = t->b[i % 40] = x[i % 4];
    t->from = x;
    // CHECK-DAG: floats_by_chosen_writers.reject.c:[[@LINE+1]]:{{.*}}error: backsweep:{{.*}}copies active memory{{.*}}[BS023]
    s = *t;
    double sum = halved(&s, 2) + halved(t, 1);
    free(t);
    return sum;
}

void derivatives(const double *x, double *dx, int n) {
    __backsweep_gradient((void *)inlined, bs_dup, x, dx);
    __backsweep_gradient((void *)few, bs_dup, x, dx);
    __backsweep_gradient((void *)many, bs_dup, x, dx, n);
    __backsweep_gradient((void *)copied, bs_dup, x, dx);
}
