/* Memory that recursion builds, where nothing active goes in, and that is filled later, here or by other recursion: whoever
 * finds its pointers finds their shadows. Numbers of such memory go into calls. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backsweep.h"

struct level {
    int count;
    double *values;
    struct level *coarse;
};

static struct level *make(int count)
{
    struct level *level = malloc(sizeof *level);
    level->count = count;
    level->values = calloc(count, sizeof(double));
    level->coarse = count > 2 ? make(count / 2) : NULL;
    return level;
}

static void restrict_down(struct level *level)
{
    if (!level->coarse)
        return;
    for (int i = 0; i < level->coarse->count; i++)
        level->coarse->values[i] = sin(level->values[2 * i]) * level->values[2 * i + 1];
    restrict_down(level->coarse);
}

static double grids(const double *x, int n)
{
    struct level *top = make(8);
    for (int i = 0; i < top->count; i++)
        top->values[i] = x[i % n] * (1 + i);
    restrict_down(top);
    return top->coarse->coarse->values[0] + top->coarse->values[1] * top->coarse->values[1];
}

struct node {
    double mass;
    int body;
};

static void insert(struct node *node, const double *x, int body)
{
    if (node->body >= 0) {
        int other = node->body;
        node->body = -1;
        insert(node, x, other);
    } else {
        node->body = body;
    }
    node->mass += x[body] * x[body];
}

static double insertions(const double *x, int n)
{
    struct node *root = malloc(sizeof *root);
    root->mass = 0;
    root->body = -1;
    for (int i = 0; i < n; i++)
        insert(root, x, i);
    double result = root->mass * root->mass;
    free(root);
    return result;
}

static int failures;

#define CHECK(f, tolerance)                                                                                            \
    do {                                                                                                               \
        double x[3] = {0.7, -0.4, 1.1}, found[3] = {0};                                                                \
        __backsweep_gradient((void *)f, bs_dup, x, found, 3);                                                          \
        for (int i = 0; i < 3; i++) {                                                                                  \
            double kept = x[i], step = tolerance > 1e-5 ? 1e-3 : 1e-6;                                                 \
            x[i] = kept + step;                                                                                        \
            double above = f(x, 3);                                                                                    \
            x[i] = kept - step;                                                                                        \
            double wanted = (above - f(x, 3)) / (2 * step);                                                            \
            x[i] = kept;                                                                                               \
            if (!(fabs(found[i] - wanted) <= tolerance * (1 + fabs(wanted)))) {                                        \
                printf("%s, %d: %.12g, expected %.12g\n", #f, i, found[i], wanted);                                    \
                failures++;                                                                                            \
            }                                                                                                          \
        }                                                                                                              \
    } while (0)

int main(void)
{
    CHECK(grids, 1e-7);
    CHECK(insertions, 1e-7);
    return failures != 0;
}
