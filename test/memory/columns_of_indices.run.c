// RUN: %clang -O1 -c %root/test/sources/Inputs/check.c -o %t.check.o
// RUN: for level in -O0 -O1 -O2 -O3; do %clang $level %include -I%root/test/sources/Inputs %pass %s %t.check.o -o %t %runtime -lm && %t conditioned 0.4 0.7 1.3 0.2 || exit 1; done
/* A sparse matrix in a struct: indices and numbers lie behind members of one object, and the indices are put into other
 * tables of integers, a stack of visited rows among them. In the struct that a failed step may have made null, too, and where
 * they are sums of what was counted. */
#include <math.h>
#include <stdlib.h>

#include "source.h"

typedef struct {
    int n;
    int *start, *row;
    double *value;
} columns;

static columns *make(int n, int most)
{
    columns *a = calloc(1, sizeof *a);
    a->n = n;
    a->start = calloc(n + 1, sizeof(int));
    a->row = calloc(most, sizeof(int));
    a->value = calloc(most, sizeof(double));
    return a;
}

static columns *drop(columns *a)
{
    if (a) {
        free(a->start);
        free(a->row);
        free(a->value);
        free(a);
    }
    return NULL;
}

/* The rows that a column reaches by way of `parent`, nearest last. */
static int reach(const columns *a, int k, const int *parent, int *stack, int *mark)
{
    int top = a->n;
    mark[k] = k;
    for (int p = a->start[k]; p < a->start[k + 1]; p++) {
        int length = 0;
        for (int i = a->row[p]; i < k && mark[i] != k; i = parent[i]) {
            stack[length++] = i;
            mark[i] = k;
        }
        while (length > 0)
            stack[--top] = stack[--length];
    }
    return top;
}

/* The rows as columns: what is counted is added up, and what was added up so far is where the next one goes. */
static columns *turned(const columns *a)
{
    columns *b = make(a->n, a->start[a->n]);
    int *next = calloc(a->n, sizeof *next);
    for (int p = 0; p < a->start[a->n]; p++)
        next[a->row[p]]++;
    for (int i = 0; i < a->n; i++) {
        b->start[i + 1] = b->start[i] + next[i];
        next[i] = b->start[i];
    }
    for (int k = 0; k < a->n; k++)
        for (int p = a->start[k]; p < a->start[k + 1]; p++) {
            int q = next[a->row[p]]++;
            b->row[q] = k;
            b->value[q] = a->value[p] * (1 + a->row[p]);
        }
    free(next);
    return b;
}

static columns *roots(const columns *a)
{
    int n = a->n;
    columns *b = make(n, n);
    for (int k = 0; k < n; k++) {
        double diagonal = a->value[a->start[k + 1] - 1];
        if (diagonal <= 0) {
            b = drop(b);
            break;
        }
        b->start[k] = k;
        b->row[k] = k;
        b->value[k] = sqrt(diagonal);
    }
    return b;
}

static double f(const double *x, int n)
{
    enum { SIZE = 8 };
    columns *a = make(SIZE, 3 * SIZE);
    int *parent = malloc(SIZE * sizeof *parent), *stack = malloc(SIZE * sizeof *stack), *mark = malloc(SIZE * sizeof *mark);
    int used = 0;
    for (int k = 0; k < SIZE; k++) {
        parent[k] = k + 2;
        mark[k] = -1;
        a->start[k] = used;
        if (k > 0) {
            a->row[used] = k / 2;
            a->value[used++] = x[k % n] * x[0];
        }
        a->row[used] = k;
        a->value[used++] = 2 + x[k % n] * x[k % n];
    }
    a->start[SIZE] = used;
    double sum = 0;
    columns *b = roots(a);
    for (int k = 0; b && k < SIZE; k++)
        for (int top = reach(a, k, parent, stack, mark); top < SIZE; top++)
            sum += (k + 1) * a->value[a->start[stack[top]]] * b->value[b->row[stack[top]]];
    columns *c = turned(a);
    for (int k = 0; k < SIZE; k++)
        for (int p = c->start[k]; p < c->start[k + 1]; p++)
            sum += sin(c->value[p] * (c->row[p] + 1));
    drop(a);
    drop(b);
    drop(c);
    free(parent);
    free(stack);
    free(mark);
    return sum;
}

REQUESTS(f)
