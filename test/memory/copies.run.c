/* Bytes that are moved without saying what they are: structs that mix floats, integers and pointers, copied whole, swapped
   and sorted, in reverse and forward mode against central differences. Optimisers copy eight bytes as an integer, so
   each level shows other copies; `opt` gets what clang's own passes have made of them before. */
// RUN: %clang -O0 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clang -O1 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clang -O2 %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: %clang -O3 -ffast-math %include -fpass-plugin=%plugin %s -o %t %runtime && %t
// RUN: for level in -O1 -O2 -O3; do %clang $level %include -S -emit-llvm %s -o %t.ll && %opt -passes='default<O2>' %t.ll -o %t.bc && %clang %t.bc -o %t %runtime && %t || exit 1; done
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

enum { N = 6 };

struct particle {
    double mass;
    int id;
    double speed;
};

struct pair {
    float x, y;
};

/* An insertion sort of structs: floats and integers move together. */
static double sort_particles(double *x, int n) {
    struct particle p[N];
    for (int i = 0; i < n; i++) p[i].mass = x[i], p[i].id = i, p[i].speed = x[i] * x[(i + 1) % n];
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && p[j - 1].mass > p[j].mass; j--) {
            struct particle t = p[j];
            p[j] = p[j - 1];
            p[j - 1] = t;
        }
    double sum = 0;
    for (int i = 0; i < n; i++) sum += p[i].mass * (i + 1) + p[i].speed * p[i].id * (2 * i + 1);
    return sum;
}

/* The same in memory from outside. */
static void rotate(struct particle *p, int n) {
    struct particle first = p[0];
    for (int i = 0; i + 1 < n; i++) p[i] = p[i + 1];
    p[n - 1] = first;
}

static double rotated(double *x, int n) {
    struct particle *p = malloc(n * sizeof *p);
    for (int i = 0; i < n; i++) p[i] = (struct particle){x[i], i, sin(x[i])};
    for (int i = 0; i < 3; i++) {
        rotate(p, n);
        p[i].mass *= p[n - 1].speed;
    }
    double sum = 0;
    for (int i = 0; i < n; i++) sum += p[i].mass * p[i].speed * (p[i].id + i);
    free(p);
    return sum;
}

/* Doubles as integers, chosen by a branch. */
static double moved_bits(double *x, int n) {
    double t[N];
    for (int i = 0; i < n; i++) t[i] = x[i] * x[i];
    for (int i = 0; i < n; i++) {
        long long bits;
        memcpy(&bits, t[i] > 1 ? &t[(i + 1) % n] : &x[i], sizeof bits);
        memcpy(&t[(i + 2) % n], &bits, sizeof bits);
        t[i] += x[i] * t[(i + 2) % n];
    }
    double sum = 0;
    for (int i = 0; i < n; i++) sum += t[i] * (i + 1);
    return sum;
}

/* Two floats at once. */
static double pairs(double *x, int n) {
    struct pair p[N], q[N];
    for (int i = 0; i < n; i++) p[i].x = (float)x[i], p[i].y = (float)(x[i] * x[(i + 1) % n]);
    for (int i = 0; i < n; i++) q[i] = p[(i * i + 1) % n];
    for (int i = 0; i < n; i++) {
        struct pair t = q[i];
        q[i] = q[n - 1 - i];
        q[n - 1 - i] = t;
        q[i].x += p[i].y;
    }
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (double)q[i].x * q[i].y * (i + 1);
    return sum;
}

struct row {
    double scale;
    double *data;
    long count;
};

/* Structs with pointers. */
static double swapped_rows(double *x, int n) {
    double buffers[3][N];
    struct row rows[3];
    for (int r = 0; r < 3; r++) {
        rows[r] = (struct row){x[r], buffers[r], n - r};
        for (int i = 0; i < n; i++) buffers[r][i] = x[i] * x[r];
    }
    for (int r = 0; r < 2; r++)
        if (rows[r].data[1] < rows[r + 1].data[1]) {
            struct row t = rows[r];
            rows[r] = rows[r + 1];
            rows[r + 1] = t;
        }
    double sum = 0;
    for (int r = 0; r < 3; r++)
        for (int i = 0; i < rows[r].count; i++) sum += (r + 1) * rows[r].scale * sin(rows[r].data[i]);
    return sum;
}

static int check(const char *name, double (*f)(double *, int), const double *reverse, const double *x, double fine) {
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        double y[N], h = fine;
        memcpy(y, x, sizeof y), y[i] = x[i] + h;
        double above = f(y, N);
        memcpy(y, x, sizeof y), y[i] = x[i] - h;
        double slope = (above - f(y, N)) / (2 * h);
        if (!(fabs(reverse[i] - slope) <= (fine < 1e-5 ? 1e-6 : 2e-2) * (1 + fabs(slope)))) {
            printf("%s %d: %.10g, differences say %.10g\n", name, i, reverse[i], slope);
            wrong = 1;
        }
    }
    return wrong;
}

/* The hook wants the name of a function, so this is a macro. */
#define TRY(f, fine)                                                              \
    do {                                                                          \
        double y[N], reverse[N] = {0}, forward[N];                                \
        memcpy(y, x, sizeof y);                                                   \
        __backsweep_gradient(f, bs_dup, y, reverse, N);                           \
        for (int i = 0; i < N; i++) {                                             \
            double d[N] = {0};                                                    \
            d[i] = 1;                                                             \
            memcpy(y, x, sizeof y);                                               \
            forward[i] = __backsweep_tangent(f, bs_dup, y, d, N);                 \
        }                                                                         \
        wrong |= check(#f, f, reverse, x, fine) | check(#f " forward", f, forward, x, fine); \
    } while (0)

int main(void) {
    double x[N] = {1.3, -0.4, 0.7, 2.1, 0.2, -1.1};
    int wrong = 0;
    TRY(sort_particles, 1e-6);
    TRY(rotated, 1e-6);
    TRY(moved_bits, 1e-6);
    TRY(pairs, 1e-3);
    TRY(swapped_rows, 1e-6);
    return wrong;
}
