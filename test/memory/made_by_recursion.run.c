/* Memory that recursion builds, where nothing active goes in, and that is filled later, here or by other recursion: whoever
 * finds its pointers finds their shadows. Numbers of such memory go into calls. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O3
// RUN: %{check}
#include <math.h>
#include <stdint.h>
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

/* The first member of a struct of two numbers and an array lies where the struct does. */
struct matrix {
    int rows, columns;
    float values[];
};

static struct matrix *zeros(int rows, int columns)
{
    struct matrix *made = calloc(1, sizeof *made + sizeof(float) * rows * columns);
    made->rows = rows;
    made->columns = columns;
    return made;
}

static struct matrix *product(const struct matrix *a, const struct matrix *b)
{
    struct matrix *c = zeros(a->rows, b->columns);
    for (int i = 0; i < c->rows; i++)
        for (int j = 0; j < c->columns; j++)
            for (int k = 0; k < a->columns; k++)
                c->values[i * c->columns + j] += a->values[i * a->columns + k] * b->values[k * b->columns + j];
    return c;
}

static double products(const double *x, int n)
{
    struct matrix *a = zeros(3, 3);
    for (int i = 0; i < 9; i++)
        a->values[i] = (float)(x[i % n] * (i - 4));
    struct matrix *b = product(a, a), *c = product(b, a);
    double sum = 0;
    for (int i = 0; i < c->rows * c->columns; i++)
        sum += (double)c->values[i] * (i + 1) / c->rows;
    free(a);
    free(b);
    free(c);
    return sum;
}

/* A number beside floats that is read twice, and that nobody here has put there. */
struct list {
    int64_t count;
    double values[4];
};

static double mean(const struct list *list)
{
    double sum = 0;
    for (int i = 0; i < list->count; i++)
        sum += list->values[i] * list->values[i];
    return sum / (double)list->count;
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
    CHECK(products, 1e-3);
    struct list list = {3, {0.5, 1.5, -2}}, slopes = {0};
    __backsweep_gradient((void *)mean, bs_dup, &list, &slopes);
    for (int i = 0; i < 4; i++)
        if (!(fabs(slopes.values[i] - 2 * list.values[i] / 3) <= 1e-12)) {
            printf("mean, %d: %.12g\n", i, slopes.values[i]);
            failures++;
        }
    return failures != 0;
}
