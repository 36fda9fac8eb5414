/* Structs of integers over floats, where what reads them is not what wrote the floats: by the arms of a union, through a pointer that was
 * made to lead to a float, or by a copy. Whoever makes a number of such an integer makes it of a float's bits. */
// DEFINE: %{case} =
// DEFINE: %{level} =
// DEFINE: %{check} = %refused %t.o %clang -g %{level} -D%{case} -fno-strict-aliasing %include %pass -c %s > %t.text && FileCheck --check-prefix=%{case} %s < %t.text
// REDEFINE: %{level} = -O0
// REDEFINE: %{case} = ARMS
// RUN: %{check}
// REDEFINE: %{case} = FOUND
// RUN: %{check}
// REDEFINE: %{case} = STEPPED
// RUN: %{check}
// REDEFINE: %{case} = COPIED
// RUN: %{check}
// REDEFINE: %{case} = WORD
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// REDEFINE: %{case} = COPIED
// RUN: %{check}
// REDEFINE: %{case} = STEPPED
// RUN: %{check}
// REDEFINE: %{case} = FOUND
// RUN: %{check}
// REDEFINE: %{case} = ARMS
// RUN: %{check}
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

struct halves {
    int32_t low, high;
};

union number {
    double value;
    struct halves halves;
};

#ifdef ARMS
struct node {
    struct node *next;
    double weight;
    union number number;
};

static double total(const struct node *node)
{
    double sum = 0;
    for (; node; node = node->next)
        // ARMS: laid_over.reject.c:[[@LINE+1]]:{{.*}}error: backsweep: the operation `cast sitofp` makes a number of the bits of an active value
        sum += node->weight * (node->number.halves.high - 1072632447);
    return sum;
}

static double f(const double *x, int n)
{
    struct node *first = NULL;
    for (int i = 0; i < n; i++) {
        struct node *node = malloc(sizeof *node);
        node->weight = x[i];
        node->number.value = x[i] * x[0];
        node->next = first;
        first = node;
    }
    double sum = total(first);
    for (struct node *next; first; first = next) {
        next = first->next;
        free(first);
    }
    return sum;
}
#endif

#ifdef FOUND
struct table {
    int length;
    union number *numbers;
};

static double logarithm(const struct table *table, int at)
{
    // FOUND: laid_over.reject.c:{{.*}}error: backsweep: the operation `cast sitofp` makes a number of the bits of an active value
    return at >= table->length ? logarithm(table, at - 3) : (table->numbers[at].halves.high - 1072632447) * 6.6e-7;
}

static double f(const double *x, int n)
{
    struct table table = {n, malloc(n * sizeof *table.numbers)};
    double sum = 0;
    for (int i = 0; i < n; i++)
        table.numbers[i].value = x[i];
    for (int i = 0; i < n; i++)
        sum += x[0] * logarithm(&table, i);
    free(table.numbers);
    return sum;
}
#endif

#ifdef STEPPED
static double logarithm(const struct halves *halves, int depth)
{
    // STEPPED: laid_over.reject.c:{{.*}}error: backsweep: the operation `cast sitofp` makes a number of the bits of an active value
    return depth > 0 ? logarithm(halves, depth - 1) : (halves->high - 1072632447) * 6.6e-7;
}

static double f(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += x[0] * logarithm((const struct halves *)(x + i), i);
    return sum;
}
#endif

#ifdef COPIED
struct scale {
    double value;
};

static double logarithm(const struct scale *scales, int at, int depth)
{
    struct halves halves;
    memcpy(&halves, &scales[at], sizeof halves);
    // COPIED: laid_over.reject.c:{{.*}}error: backsweep: the operation `cast sitofp` makes a number of the bits of an active value
    return depth > 0 ? logarithm(scales, at, depth - 1) : (halves.high - 1072632447) * 6.6e-7;
}

static double f(const double *x, int n)
{
    struct scale *scales = malloc(n * sizeof *scales);
    double sum = 0;
    for (int i = 0; i < n; i++)
        scales[i].value = x[i];
    for (int i = 0; i < n; i++)
        sum += x[0] * logarithm(scales, i, i);
    free(scales);
    return sum;
}
#endif

#ifdef WORD
struct table {
    int length;
    double *numbers;
};

static double logarithm(const struct table *table, int at)
{
    int64_t bits;
    memcpy(&bits, table->numbers + at, sizeof bits);
    // WORD: laid_over.reject.c:{{.*}}error: backsweep: the operation `cast sitofp` makes a number of the bits of an active value
    return at >= 9 ? logarithm(table, at - 3) : ((int32_t)(bits >> 32) - 1072632447) * 6.6e-7;
}

static double f(const double *x, int n)
{
    struct table table = {n, malloc(n * sizeof *table.numbers)};
    double sum = 0;
    for (int i = 0; i < n; i++)
        table.numbers[i] = x[i];
    for (int i = 0; i < n; i++)
        sum += x[0] * logarithm(&table, i);
    free(table.numbers);
    return sum;
}
#endif

void request(double *x, double *dx, int n)
{
    __backsweep_gradient_void((void *)f, x, dx, n);
}
