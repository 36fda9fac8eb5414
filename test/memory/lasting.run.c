/* Active memory that is made in one function and freed in another: lists and trees that recursion builds and drops, nodes
 * that stay with the caller, nodes of the caller's that are freed inside. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

#define N 6

struct item {
    double value;
    struct item *next;
};

static struct item *build(const double *x, int n)
{
    if (n == 0)
        return NULL;
    struct item *item = malloc(sizeof *item);
    item->value = x[0] * x[0];
    item->next = build(x + 1, n - 1);
    return item;
}

static double sum_of(const struct item *item)
{
    return item ? sin(item->value) + 2 * sum_of(item->next) : 0;
}

static void scale(struct item *item, double by)
{
    if (!item)
        return;
    item->value *= by;
    scale(item->next, by + item->value);
}

static void drop(struct item *item)
{
    if (item) {
        drop(item->next);
        free(item);
    }
}

/* Built and dropped twice: nothing of the first list may be taken for the second. */
static double lists(double *x, int n)
{
    struct item *first = build(x, n);
    scale(first, x[0]);
    double sum = sum_of(first);
    drop(first);
    struct item *second = build(x, n - 1);
    sum *= sum_of(second);
    drop(second);
    return sum;
}

/* Some nodes are freed where they are made, the others by the caller. */
static void push(struct item **list, const double *x, int n)
{
    if (n == 0)
        return;
    struct item *item = malloc(sizeof *item);
    item->value = x[0] * n;
    item->next = *list;
    *list = item;
    push(list, x + 1, n - 1);
    if (n == 3) {
        struct item *top = *list;
        *list = top->next;
        (*list)->value *= top->value;
        free(top);
    }
}

static double shared(double *x, int n)
{
    struct item *list = NULL;
    double sum = 0;
    push(&list, x, n);
    for (struct item *item = list; item; item = item->next)
        sum += item->value * item->value;
    while (list) {
        struct item *next = list->next;
        free(list);
        list = next;
    }
    return sum;
}

struct node {
    double mass, center, from, size;
    struct node *half[2];
};

static struct node *new_node(double from, double size)
{
    struct node *node = calloc(1, sizeof *node);
    node->from = from;
    node->size = size;
    return node;
}

static void insert(struct node *node, double x, double mass, int depth)
{
    node->center = (node->center * node->mass + x * mass) / (node->mass + mass);
    node->mass += mass;
    if (depth == 0)
        return;
    int upper = x > node->from + node->size / 2;
    if (!node->half[upper])
        node->half[upper] = new_node(node->from + upper * node->size / 2, node->size / 2);
    insert(node->half[upper], x, mass, depth - 1);
}

static double force(const struct node *node, double x)
{
    if (!node)
        return 0;
    double d = node->center - x, r = d * d + 0.01;
    if (node->size * node->size < 0.25 * r)
        return node->mass / sqrt(r);
    return force(node->half[0], x) + force(node->half[1], x) + 0.1 * node->mass * d;
}

static void drop_tree(struct node *node)
{
    if (!node)
        return;
    drop_tree(node->half[0]);
    drop_tree(node->half[1]);
    free(node);
}

static double tree(double *x, int n)
{
    struct node *root = new_node(0, 1);
    double sum = 0;
    for (int i = 0; i < n; i++)
        insert(root, x[i], 1 + 0.1 * i, 3);
    for (int i = 0; i < n; i++)
        sum += force(root, x[i] + 0.01);
    drop_tree(root);
    return sum;
}

/* A node of the user's is freed inside; its shadow stays the user's. */
static double cut(struct item *item, int depth)
{
    if (!item->next)
        return item->value;
    if (depth == 2) {
        struct item *next = item->next;
        double value = next->value;
        item->next = next->next;
        free(next);
        return value * value + cut(item, depth + 1);
    }
    return item->value * cut(item->next, depth + 1);
}

/* What stays with the user stays with its shadow, which the user may free. */
static double kept(double *x, struct item **list)
{
    struct item *item = malloc(sizeof *item);
    item->value = *x * *x;
    item->next = *list;
    *list = item;
    return item->value * *x;
}

static int failures;

static void expect(const char *what, int i, double got, double wanted)
{
    if (!(fabs(got - wanted) <= 1e-5 * (1 + fabs(wanted)))) {
        printf("%s %d: %.12g instead of %.12g\n", what, i, got, wanted);
        failures++;
    }
}

typedef double function(double *, int);

static void compare(const char *what, function *f, const double *gradient, const double *tangent)
{
    for (int i = 0; i < N; i++) {
        double x[N], h = 1e-6, ends[2];
        for (int side = 0; side < 2; side++) {
            for (int k = 0; k < N; k++)
                x[k] = 0.6 + 0.3 * sin(1 + 1.7 * k);
            x[i] += side ? h : -h;
            ends[side] = f(x, N);
        }
        expect(what, i, gradient[i], (ends[1] - ends[0]) / (2 * h));
        expect(what, i, tangent[i], gradient[i]);
    }
}

#define COMPARE(f)                                                                          \
    do {                                                                                    \
        double x[N], gradient[N] = {0}, tangent[N];                                         \
        for (int k = 0; k < N; k++)                                                         \
            x[k] = 0.6 + 0.3 * sin(1 + 1.7 * k);                                            \
        __backsweep_gradient((void *)f, bs_dup, x, gradient, bs_const, N);                  \
        for (int i = 0; i < N; i++) {                                                       \
            double dx[N] = {0};                                                             \
            dx[i] = 1;                                                                      \
            tangent[i] = __backsweep_tangent((void *)f, bs_dup, x, dx, bs_const, N);        \
        }                                                                                   \
        compare(#f, f, gradient, tangent);                                                  \
    } while (0)

static struct item *items(const double *values)
{
    struct item *list = NULL;
    for (int i = 4; i >= 0; i--) {
        struct item *item = malloc(sizeof *item);
        item->value = values[i];
        item->next = list;
        list = item;
    }
    return list;
}

static void cut_of_user(void)
{
    static struct item shadows[5];
    double values[5] = {1.4, 1.3, 1.2, 1.1, 1};
    struct item *list = items(values);
    for (int i = 0; i < 5; i++)
        shadows[i].next = i < 4 ? &shadows[i + 1] : NULL;
    __backsweep_gradient((void *)cut, bs_dup, list, shadows, bs_const, 0);
    drop(list);
    for (int i = 0; i < 5; i++) {
        double ends[2];
        for (int side = 0; side < 2; side++) {
            values[i] += side ? 2e-6 : -1e-6;
            struct item *moved = items(values);
            ends[side] = cut(moved, 0);
            drop(moved);
        }
        values[i] -= 1e-6;
        expect("cut", i, shadows[i].value, (ends[1] - ends[0]) / 2e-6);
    }
}

int main(void)
{
    COMPARE(lists);
    COMPARE(shared);
    COMPARE(tree);
    cut_of_user();
    double x = 1.5, dx = 0;
    struct item *list = NULL, *dlist = NULL;
    for (int i = 0; i < 3; i++)
        __backsweep_gradient((void *)kept, bs_dup, &x, &dx, bs_dup, &list, &dlist);
    expect("kept", 0, dx, 3 * 3 * x * x);
    expect("kept", 1, list->next->next->value, x * x);
    expect("kept", 2, dlist->next->next->value, 0);
    drop(list);
    drop(dlist);
    return failures != 0;
}
