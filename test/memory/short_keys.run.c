// Records with a single float beside doubles and an integer, sorted member by member by a function that calls itself, and put into a
// list: the doubles that it only moves are no pairs of floats, wherever an index into the array among them may seem to lead.
// RUN: %clang -O0 -g %include %pass %s -o %t %runtime && %t
// RUN: %clang -O1 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O2 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O3 %include %pass %s -o %t %runtime && %t
#include "backsweep.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct record {
    float key;
    int id;
    double value;
    double pair[2];
};

#define SWAP(type, a, b)  \
    do {                  \
        type kept = (a);  \
        (a) = (b);        \
        (b) = kept;       \
    } while (0)

static void sort(struct record *a, int low, int high)
{
    if (low >= high)
        return;
    float middle = a[(low + high) / 2].key;
    int i = low, j = high;
    while (i <= j) {
        while (a[i].key < middle)
            i++;
        while (a[j].key > middle)
            j--;
        if (i <= j) {
            SWAP(float, a[i].key, a[j].key);
            SWAP(int, a[i].id, a[j].id);
            SWAP(double, a[i].value, a[j].value);
            for (int k = 0; k < 2; k++)
                SWAP(double, a[i].pair[k], a[j].pair[k]);
            i++;
            j--;
        }
    }
    sort(a, low, j);
    sort(a, i, high);
}

struct list {
    float key;
    double value;
    struct list *next;
};

static struct list *insert(struct list *list, float key, double value)
{
    if (!list || list->key > key) {
        struct list *first = malloc(sizeof *first);
        first->key = key;
        first->value = value;
        first->next = list;
        return first;
    }
    list->next = insert(list->next, key, value);
    return list;
}

static double f(const double *x, int n)
{
    struct record *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = (struct record){(float)sin(3.0 * i + x[0] * 0.01), i, x[i % 2] * (i + 1), {x[0] * x[1], i}};
    sort(a, 0, n - 1);
    double sum = 0;
    struct list *list = NULL;
    for (int i = 0; i < n; i++) {
        sum += a[i].value * (i + 1) * a[i].pair[i % 2] + a[i].id * x[1] + a[i].key * x[0];
        list = insert(list, a[i].key, a[i].value * x[1]);
    }
    free(a);
    for (int k = 1; list; k++) {
        struct list *next = list->next;
        sum += list->value * list->value * k;
        free(list);
        list = next;
    }
    return sum;
}

int main(void)
{
    const double step = 1e-3;
    double x[2] = {0.75, 1.25}, dx[2] = {0};
    int wrong = 0;
    __backsweep_gradient(f, bs_dup, x, dx, bs_const, 7);
    for (int i = 0; i < 2; i++) {
        double at[2] = {x[0], x[1]};
        at[i] += step;
        double above = f(at, 7);
        at[i] -= 2 * step;
        double expected = (above - f(at, 7)) / (2 * step);
        if (!(fabs(dx[i] - expected) <= 1e-4 * fabs(expected)))
            wrong = printf("%d: %.9g, by differences %.9g\n", i, dx[i], expected);
    }
    return wrong != 0;
}
