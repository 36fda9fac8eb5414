/* Records of numbers and integers that are sorted, kept in a heap, removed from the middle and handed on by value: structs
 * with padding, and with members that nobody names where they are copied. */
// RUN: %levels %s double 0.8 1.3 -0.4 2.1 0.35 -1.7
#include "source.h"
#include <stdlib.h>

struct event {
    int id;
    double time;
    char kind;
    float weight;
};

struct state {
    double t, y[3];
    int steps;
};

static void sort(struct event *a, int n)
{
    for (int i = 1; i < n; i++) {
        struct event moved = a[i];
        int j = i - 1;
        for (; j >= 0 && a[j].time > moved.time; j--)
            a[j + 1] = a[j];
        a[j + 1] = moved;
    }
}

static void push(struct event *heap, int *n, struct event e)
{
    int i = (*n)++;
    for (; i > 0 && heap[(i - 1) / 2].time > e.time; i = (i - 1) / 2)
        heap[i] = heap[(i - 1) / 2];
    heap[i] = e;
}

static struct event pop(struct event *heap, int *n)
{
    struct event first = heap[0], last = heap[--*n];
    int i = 0;
    for (int child = 1; child < *n; child = 2 * i + 1) {
        if (child + 1 < *n && heap[child + 1].time < heap[child].time)
            child++;
        if (heap[child].time >= last.time)
            break;
        heap[i] = heap[child];
        i = child;
    }
    heap[i] = last;
    return first;
}

static struct state step(struct state s, double h)
{
    struct state next = s;
    next.y[0] += h * s.y[1];
    next.y[1] -= h * s.y[0] * s.y[2];
    next.y[2] += h * 0.1 * s.y[2];
    next.t += h;
    next.steps++;
    return next;
}

static double f(const double *x, int n)
{
    struct event *all = malloc(n * sizeof *all), heap[32];
    int waiting = 0;
    for (int i = 0; i < n; i++)
        all[i] = (struct event){i, x[i] * x[i], (char)('a' + i), 1};
    sort(all, n);
    for (int i = 0; i < n; i++)
        push(heap, &waiting, all[n - 1 - i]);
    struct state s = {0, {x[0], x[1], x[2]}, 0};
    double sum = 0;
    while (waiting) {
        struct event e = pop(heap, &waiting);
        s = step(s, 0.1 * e.time);
        sum += s.y[0] * e.id + e.kind * e.time;
        if (s.steps == 2) {
            e.time += x[3] * x[3];
            push(heap, &waiting, e);
        }
    }
    /* The first record goes, and the last takes its place. */
    all[0] = all[n - 1];
    for (int i = 0; i < n - 1; i++)
        sum += (i + 1) * all[i].time * all[i].id;
    free(all);
    return sum + s.y[1] * s.t * s.steps;
}

REQUESTS(f)
