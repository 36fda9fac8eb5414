// Stacks of structs with a number that no gradient is of, which grow by realloc: from nothing, so that the first copy is of no
// bytes from nowhere; and by one struct at a time, so that what is copied here was only copied before, and the integer in it
// is stored and read elsewhere.
// RUN: %levels %s double 1.53 1.37 1.21 0.83
#include "source.h"
#include <stdlib.h>

struct region {
    double error, value;
    unsigned axis;
};

struct stack {
    struct region *regions;
    size_t count, room;
};

static void push(struct stack *s, struct region r)
{
    if (s->count == s->room)
        s->regions = realloc(s->regions, (s->room = 2 * s->room + 1) * sizeof r);
    s->regions[s->count++] = r;
}

static struct region pop(struct stack *s)
{
    return s->regions[--s->count];
}

static void evaluate(struct region *r, double a)
{
    r->value = a * a;
    r->error = a;
    r->axis = a > 1;
}

static double divide(const double *x)
{
    struct stack s = {0};
    struct region r = {0};
    double sum = 0;
    evaluate(&r, x[0]);
    push(&s, r);
    while (s.count < 6) {
        struct region a = pop(&s), b = a;
        evaluate(&a, a.value * x[1]);
        evaluate(&b, b.value + x[2]);
        push(&s, a);
        push(&s, b);
    }
    for (size_t i = 0; i < s.count; i++)
        sum += s.regions[i].value * (1 + s.regions[i].axis) * i;
    free(s.regions);
    return sum;
}

struct step {
    double value;
    unsigned large;
};

static double walk(const double *x, int n)
{
    int room = 1;
    struct step *steps = malloc(sizeof *steps), first = {x[0], 1};
    double sum = 0;
    steps[0] = first;
    for (int i = 1; i < 6; i++) {
        if (i == room)
            steps = realloc(steps, (room *= 2) * sizeof *steps);
        struct step next = steps[i - 1];
        next.value *= x[i % n];
        next.large = next.value > 1;
        steps[i] = next;
    }
    for (int i = 0; i < 6; i++)
        sum += steps[i].value * steps[i].large * i;
    free(steps);
    return sum;
}

static double f(const double *x, int n)
{
    return divide(x) * 1e-3 + walk(x, n);
}

REQUESTS(f)
