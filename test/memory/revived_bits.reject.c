/* Integers that are computed from the bits of floats, kept in memory or handed over, and become floats there: by their bits, by their
 * value, or because somebody reads the memory as floats. To who only adds them up they are integers. */
// RUN: %refused %t.o %clang -g -O0 -fno-strict-aliasing %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
// RUN: %refused %t.o %clang -g -O2 -fno-strict-aliasing %include %pass -c %s > %t.text
// RUN: FileCheck %s < %t.text
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

#define APART __attribute__((noinline))

struct arrays {
    int *halves, *zeros, *moved;
    int64_t *words;
    double *x;
};

static struct arrays *arrays(const double *x, int n)
{
    struct arrays *all = malloc(sizeof *all);
    *all = (struct arrays){malloc(128), calloc(32, 4), malloc(128), malloc(128), malloc(128)};
    for (int i = 0; i < 8; i++)
        all->x[i] = 1 + i * x[i % n];
    return all;
}

static double joined(const int *halves)
{
    int64_t bits = (uint32_t)halves[0] | (int64_t)halves[1] << 32;
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

double by_halves(const double *x, int n)
{
    struct arrays *all = arrays(x, n);
    for (int i = 0; i < 16; i++)
        all->halves[15 - i] = ((int *)all->x)[i] + all->zeros[i];
    for (int i = 0; i < 16; i++)
        all->moved[15 - i] = all->halves[i] + all->zeros[i];
    // CHECK-DAG: revived_bits.reject.c:{{.*}}error: backsweep: a float is made here of an integer that was computed from the bits of active values
    return joined(all->moved) * x[0];
}

double as_floats(const double *x, int n)
{
    struct arrays *all = arrays(x, n);
    for (int i = 0; i < 8; i++)
        all->words[i] = ((int64_t *)all->x)[i] - all->zeros[i];
    // CHECK-DAG: revived_bits.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: a float is made here of an integer that was computed
    return ((double *)all->words)[3] * x[0];
}

double from_floats(const double *x, int n)
{
    struct arrays *all = arrays(x, n);
    double sum = 0, y;
    int64_t bits;
    for (int i = 0; i < 8; i++) {
        double twice = 2 * all->x[i];
        memcpy(&bits, &twice, sizeof bits);
        all->words[i] = bits + all->zeros[i];
    }
    for (int i = 0; i < 8; i++) {
        bits = all->words[i] + all->zeros[i];
        // CHECK-DAG: revived_bits.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: a float is made here of an integer that was computed
        memcpy(&y, &bits, sizeof y);
        sum += y * x[0];
    }
    return sum;
}

double by_value(const double *x, int n)
{
    struct arrays *all = arrays(x, n);
    for (int i = 0; i < 8; i++)
        all->words[i] = ((int64_t *)all->x)[i] - 0x3ff0000000000000;
    double sum = 0;
    for (int i = 0; i < 8; i++)
        // CHECK-DAG: revived_bits.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: a float is made here of an integer that was computed
        sum += (double)all->words[i] * 0x1p-52 * x[0];
    return sum;
}

/* Nobody who adds says that floats lie there. */
APART static void add(int *to, const int *a, const int *b)
{
    for (int i = 0; i < 16; i++)
        to[i] = a[i] + b[i];
}
APART static double joined_apart(const int *halves)
{
    int64_t bits = (uint32_t)halves[0] | (int64_t)halves[1] << 32;
    double x;
    // CHECK-DAG: revived_bits.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: a float is made here of an integer that was computed
    memcpy(&x, &bits, sizeof x);
    return x;
}

double in_functions(const double *x, int n)
{
    struct arrays *all = arrays(x, n);
    add(all->halves, (int *)all->x, all->zeros);
    add(all->moved, all->halves, all->zeros);
    return joined_apart(all->moved) * x[0];
}

APART static int64_t sum_of(int64_t a, int64_t b) { return a + b; }

double by_a_copy(const double *x, int n)
{
    struct arrays *all = arrays(x, n);
    for (int i = 0; i < 8; i++)
        all->words[i] = sum_of(((int64_t *)all->x)[i], all->zeros[i]);
    double y[8];
    memcpy(y, all->words, sizeof y);
    // CHECK-DAG: revived_bits.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: a float is made here of an integer that was computed
    return y[n] * x[0];
}

/* Of functions that call themselves one alone adds, and another reads floats; both come to the memory by pointers that they find. */
struct pair {
    double *x;
    int64_t *words;
    struct pair *next;
    int n;
};

static struct pair *pairs(const double *x, int n)
{
    struct pair *all = malloc(sizeof *all);
    *all = (struct pair){malloc(64), malloc(64), malloc(sizeof *all), n};
    *all->next = (struct pair){all->x, (int64_t *)all->x, 0, n};
    for (int i = 0; i < 8; i++)
        all->x[i] = 1 + i * x[i % n];
    return all;
}

APART static void double_logarithms(struct pair *all, int i)
{
    if (i == all->n)
        return;
    all->words[i] = 2 * ((int64_t *)all->x)[i] - 0x3ff0000000000000;
    double_logarithms(all, i + 1);
}

APART static double sum_of_products(const struct pair *all, int i)
{
    if (i == all->n)
        return 0;
    // CHECK-DAG: revived_bits.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: a float is made here of an integer that was computed
    return ((double *)all->words)[i] * all->x[i] + sum_of_products(all, i + 1);
}

double in_recursion(const double *x, int n)
{
    struct pair *all = pairs(x, n);
    double_logarithms(all, 0);
    return sum_of_products(all, 0);
}

APART static void double_in_list(struct pair *at)
{
    if (!at)
        return;
    for (int i = 0; i < at->n; i++)
        at->words[i] = 2 * at->words[i] - 0x3ff0000000000000;
    double_in_list(at->next->next);
}

APART static double sum_of_list(const struct pair *at)
{
    if (!at)
        return 0;
    // CHECK-DAG: revived_bits.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: a float is made here of an integer that was computed
    return at->x[0] * at->x[1] + sum_of_list(at->next);
}

double in_a_list(const double *x, int n)
{
    struct pair *all = pairs(x, n);
    double_in_list(all->next);
    return sum_of_list(all->next);
}

static double *shared;

APART static int64_t *found(int i) { return i ? found(i - 1) : (int64_t *)shared; }

APART static double sum_of_shared(int i)
{
    // CHECK-DAG: revived_bits.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: a float is made here of an integer that was computed
    return i < 0 ? 0 : shared[i] * shared[i] + sum_of_shared(i - 1);
}

double by_a_global(const double *x, int n)
{
    shared = pairs(x, n)->x;
    int64_t *words = found(n);
    for (int i = 0; i < n; i++)
        words[i] = 2 * words[i] - 0x3ff0000000000000;
    return sum_of_shared(n);
}

void refused(double *x, double *dx, int n)
{
    __backsweep_gradient((void *)by_halves, x, dx, n);
    __backsweep_gradient((void *)as_floats, x, dx, n);
    __backsweep_gradient((void *)from_floats, x, dx, n);
    __backsweep_gradient((void *)by_value, x, dx, n);
    __backsweep_gradient((void *)in_functions, x, dx, n);
    __backsweep_gradient((void *)by_a_copy, x, dx, n);
    __backsweep_gradient((void *)in_recursion, x, dx, n);
    __backsweep_gradient((void *)in_a_list, x, dx, n);
    __backsweep_gradient((void *)by_a_global, x, dx, n);
}
