// Records with a name in them: characters that library functions write and read, of which the last ones share a word with a float, or with
// nothing. They are sorted, exchanged and copied whole.
// RUN: %levels %s double 0.53 1.37 0.21 0.83 -0.4 0.9
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

struct station { int key; double height; char name[12]; float weight; };
struct sample { double value; char name[12]; };

static int by_height(const void *a, const void *b)
{
    double x = ((const struct station *)a)->height, y = ((const struct station *)b)->height;
    return (x > y) - (x < y);
}

double f(const double *x, int n)
{
    struct station all[16];
    for (int i = 0; i < n; i++) {
        all[i].key = i;
        all[i].height = -x[i] * x[(i + 1) % n];
        snprintf(all[i].name, sizeof all[i].name, "s%d", i);
        all[i].weight = 0.5f * i;
    }
    qsort(all, n, sizeof *all, by_height);
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += all[i].height * all[i].height * all[i].name[1] * (i + 1) + all[i].weight * all[i].height;
    struct sample one = {sin(x[0]), ""}, other;
    strcpy(one.name, n > 3 ? "long one" : "short");
    other = one;
    other.value *= x[1];
    return sum * 0.01 + other.value * one.value * (double)strlen(other.name);
}

REQUESTS(f)
