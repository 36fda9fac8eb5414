// Nodes with numbers that no gradient is of, made by functions that call themselves, in one list with others that have one. Nothing
// active is passed to who makes them; the pointer is found where it was left, and needs its shadow all the same.
// RUN: %levels %s double 1.53 1.37 1.21 0.83
#include "source.h"
#include <stdlib.h>

struct node {
    double value;
    struct node *next;
};

static void make_constants(struct node **at, int count)
{
    if (count == 0) {
        *at = NULL;
        return;
    }
    struct node *made = malloc(sizeof *made);
    made->value = 0.5 * count;
    make_constants(&made->next, count - 1);
    *at = made;
}

static void drop(struct node *list)
{
    if (list) {
        drop(list->next);
        free(list);
    }
}

static double f(const double *x, int n)
{
    struct node *constants, *head = NULL;
    double sum = 0;
    make_constants(&constants, 3);
    for (int i = 0; i < n; i++) {
        struct node *one = malloc(sizeof *one);
        one->value = x[i] * x[i];
        one->next = head ? head : constants;
        head = one;
    }
    int at = 0;
    for (struct node *k = head; k; k = k->next)
        sum += k->value * k->value * ++at;
    drop(head);
    return sum;
}

REQUESTS(f)
