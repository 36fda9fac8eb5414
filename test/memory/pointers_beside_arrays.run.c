/* Structs of pointers and arrays of floats, where an index chooses the float: trees of boxes that are turned, layers of a network
 * that change places, nodes of a list that are copied. An index might seem to step on a pointer; it stays in its array. */
// RUN: %levels %s double 0.4 1.3 -0.7 0.9 0.2 1.1 0.5 -0.3 0.8 0.6 0.1 1.2
// RUN: for level in -O0 -O1 -O2 '-O3 -ffast-math'; do %clang $level -DTWICE %include -I%S/../sources/Inputs %pass %s -o %t %runtime -lm && %t || exit 1; done
#include "source.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct box {
    double low[3], high[3];
    struct box *left, *right;
};

static double first_below(const struct box *box, int axis, double at)
{
    double sum = 0;
    while (box) {
        sum += box->low[axis] * at + box->high[(axis + 1) % 3] * at * at;
        box = at < box->low[axis] ? box->left : box->right;
        axis = (axis + 1) % 3;
    }
    return sum;
}

static double tree(const double *x, int n)
{
    struct box pool[7];
    for (int i = 0; i < 7; i++) {
        for (int d = 0; d < n / 4; d++) {
            pool[i].low[d] = x[(i + d) % n];
            pool[i].high[d] = x[(2 * i + d) % n] + 1;
        }
        pool[i].left = i < 3 ? &pool[2 * i + 1] : 0;
        pool[i].right = i < 3 ? &pool[2 * i + 2] : 0;
    }
    for (int i = 0; i < n % 3 + 2; i++) {
        struct box *turned = pool[i].left;
        pool[i].left = pool[(i + 1) % 3].right;
        pool[(i + 1) % 3].right = turned;
    }
    double sum = 0;
    for (int k = 0; k < n; k++) sum += first_below(pool, k % 3, x[k]);
    return sum;
}

struct layer {
    int in, out;
    double bias[8];
    double *weights;
    double result[8];
};

static double network(const double *x, int n)
{
    struct layer layers[3];
    const int size = n / 3;
    for (int l = 0; l < 3; l++) {
        layers[l].in = layers[l].out = size;
        layers[l].weights = malloc(size * size * sizeof(double));
        for (int i = 0; i < size; i++) {
            layers[l].bias[i] = x[(l * size + i) % n];
            for (int j = 0; j < size; j++) layers[l].weights[i * size + j] = x[(i * 3 + j + l) % n];
        }
    }
    double *weights = layers[0].weights;
    layers[0].weights = layers[2].weights;
    layers[2].weights = weights;
    struct layer last = layers[2];
    layers[2] = layers[1];
    layers[1] = last;
    double sum = 0;
    for (int l = 0; l < 3; l++) {
        const double *in = l ? layers[l - 1].result : x;
        for (int i = 0; i < layers[l].out; i++) {
            double s = layers[l].bias[i];
            for (int j = 0; j < layers[l].in; j++) s += layers[l].weights[i * layers[l].in + j] * in[j];
            layers[l].result[i] = tanh(s);
        }
    }
    for (int l = 0; l < 3; l++) {
        for (int i = 0; i < size; i++) sum += layers[l].result[i] * (l + i + 1);
        free(layers[l].weights);
    }
    return sum;
}

struct sample {
    double value, weights[2];
    const double *from;
};

static double moved(const double *x, int n)
{
    struct sample all[4];
    double sum = 0;
    for (int i = 0; i < 4; i++) all[i] = (struct sample){x[i], {x[i + 1], x[i + 2]}, x + i};
    for (int i = 0; i < n; i++) all[i % 4].weights[(i + n) % 2] += 0.5 * *all[(i + 1) % 4].from;
    for (int i = 0; i < 3; i++) {
        const struct sample one = all[i];
        all[i] = all[(i * n + 1) % 4];
        all[(i + n) % 4] = one;
    }
    struct sample copy[4];
    memcpy(copy, all, sizeof all);
    for (int i = 0; i < 4; i++) all[i] = copy[3 - i];
    for (int i = 0; i < 4; i++) sum += all[i].value * all[i].weights[0] - all[i].weights[n % 2] * all[i].from[1];
    return sum;
}

static double all(const double *x, int n)
{
    return tree(x, n) + network(x, n) * moved(x, n);
}

#ifndef TWICE
REQUESTS(all)
#else
static void gradient_of_all(const double *x, double *dx, int n)
{
    __backsweep_gradient_void((void *)all, x, dx, n);
}

/* Differences of the gradient against its derivative, which reads the same marks in what we have written. */
int main(void)
{
    const double start[12] = {0.4, 1.3, -0.7, 0.9, 0.2, 1.1, 0.5, -0.3, 0.8, 0.6, 0.1, 1.2};
    double x[12], way[12], ends[2][12] = {0}, dx[12] = {0}, found[12] = {0};
    const double h = 1e-6;
    int bad = 0;
    for (int i = 0; i < 12; i++) way[i] = cos(i);
    for (int end = 0; end < 2; end++) {
        for (int i = 0; i < 12; i++) x[i] = start[i] + (end ? h : -h) * way[i];
        gradient_of_all(x, ends[end], 12);
    }
    __backsweep_tangent_void((void *)gradient_of_all, bs_dup, start, way, bs_dup, dx, found, 12);
    for (int i = 0; i < 12; i++) {
        const double expected = (ends[1][i] - ends[0][i]) / (2 * h);
        if (fabs(found[i] - expected) <= 1e-5 * (1 + fabs(expected))) continue;
        printf("%d is %.12g, expected %.12g\n", i, found[i], expected);
        bad = 1;
    }
    return bad;
}
#endif
