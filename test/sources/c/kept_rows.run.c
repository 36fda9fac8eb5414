/* Arrays of structs behind pointers in memory, copied as a whole and read again through pointers found once more: the types that
 * the pointers are declared with say what is moved. */
// RUN: %levels %s conditioned 0.8 1.3 0.4 1.1 0.6
#include <string.h>

#include "source.h"

struct mixed {
    double key;
    float u, v;
    int id;
};

static double doubled(struct mixed **row, int n)
{
    struct mixed *to = row[0];
    memcpy(to, row[1], (size_t)n * sizeof *to);
    for (int i = 0; i < n; i++)
        to[i].key *= 2;
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += row[0][i].u * row[1][i].v * row[0][i].key * (row[0][i].id + 1);
    return sum;
}

static double f(const double *x, int n)
{
    struct mixed a[5] = {0}, b[5] = {0}, *row[2] = {a, b};
    for (int i = 0; i < n; i++) {
        b[i].key = x[i] * x[0];
        b[i].u = i + 1;
        b[i].v = i + 2;
        b[i].id = i;
    }
    double sum = doubled(row, n) + b[2].key * a[1].key;
    memset(b, 0, (size_t)(n - 2) * sizeof *b);
    return sum + b[1].key * x[0] + b[4].key * b[4].key;
}

REQUESTS(f)
