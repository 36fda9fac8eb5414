/* Functions that call themselves and count beside the floats, in memory that is found by pointers in structs. Integers that are added up
 * there are no floats' bits, though both are reached in one way, and nothing says what lies where. */
// RUN: for level in -O0 -O1 -O2; do %clang $level -fno-strict-aliasing %include %pass %s %runtime -o %t && %t || exit 1; done
#include <stdint.h>
#include <stdlib.h>

#include "backsweep.h"

#define N 6
#include "Inputs/differences.h"

#define APART __attribute__((noinline))

struct node {
    double *values;
    int64_t *counts;
    struct node *left, *right;
    int64_t visits;
    double weight;
};

APART static struct node *grow(const double *x, int depth)
{
    struct node *node = malloc(sizeof *node);
    *node = (struct node){malloc(N * sizeof(double)), calloc(N, sizeof(int64_t)), 0, 0, 0, 1 + 0.1 * depth};
    for (int i = 0; i < N; i++)
        node->values[i] = x[(i + depth) % N] * node->weight;
    if (depth > 0) {
        node->left = grow(x, depth - 1);
        node->right = depth > 1 ? grow(x, depth - 2) : 0;
    }
    return node;
}

APART static void visit(struct node *node, int64_t step)
{
    if (!node)
        return;
    node->visits += step;
    for (int i = 0; i < N; i++)
        node->counts[i] += step * (i % 3) - node->visits;
    visit(node->left, step + 1);
    visit(node->right, 2 * step);
}

APART static double fold(struct node *node)
{
    if (!node)
        return 0;
    double sum = node->weight * (double)node->visits;
    for (int i = 0; i < N; i++)
        sum += node->values[i] * node->values[i] * (double)node->counts[i];
    return sum + 0.5 * fold(node->left) + sin(fold(node->right));
}

APART static void release(struct node *node)
{
    if (!node)
        return;
    release(node->left);
    release(node->right);
    free(node->values);
    free(node->counts);
    free(node);
}

static double f(const double *x)
{
    struct node *root = grow(x, 4);
    visit(root, 1);
    double sum = fold(root);
    release(root);
    return sum;
}

int main(void)
{
    double x[N] = {0.1, -0.2, 0.3, 0.25, -0.15, 0.05};
    int wrong = 0;
    CHECK(f);
    return wrong;
}
