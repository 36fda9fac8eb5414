/* A pool that a function grows, which calls itself, and a list that one makes: who called frees them, and nothing is lost. */
// RUN: %clang -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all %include %pass %s -o %t.asan %runtime -lm && %t.asan
// RUN: %clang -O2 -g %include %pass %s -o %t %runtime -lm && %t
#include <stdlib.h>

#define N 6
#include "Inputs/differences.h"

#include "backsweep.h"

typedef struct {
    double *at;
    int count, room;
} pool;

typedef struct node {
    double value;
    struct node *next;
} node;

static int grow(pool *p, const double *x, int depth)
{
    if (p->count == p->room) {
        p->room = p->room ? 2 * p->room : 4;
        p->at = realloc(p->at, p->room * sizeof *p->at);
    }
    int me = p->count++;
    p->at[me] = x[depth] * x[me % N];
    if (depth > 0) {
        int below = grow(p, x, depth - 1);
        p->at[me] *= p->at[below];
    }
    return me;
}

static void put_in(node **list, double value, int copies)
{
    node *made = malloc(sizeof *made);
    made->value = value;
    made->next = *list;
    *list = made;
    if (copies > 1)
        put_in(list, value * made->value, copies - 1);
}

static double f(const double *x)
{
    pool p = {0};
    node *list = NULL;
    double squares[N], sum = 0;
    for (int i = 0; i < N; i++) {
        squares[i] = x[i] * x[i];
        put_in(&list, squares[i], 1 + i % 3);
    }
    sum += p.at ? 0 : grow(&p, squares, N - 1);
    for (int i = 0; i < p.count; i++)
        sum += p.at[i];
    free(p.at);
    while (list) {
        node *next = list->next;
        sum += next ? list->value * next->value : list->value;
        free(list);
        list = next;
    }
    return sum;
}

int main(void)
{
    double x[N] = {0.9, 0.7, 1.2, 0.6, 1.1, 0.4};
    int wrong = 0;
    CHECK(f);
    return wrong;
}
