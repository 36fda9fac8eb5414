/* Floats that are moved along an array which lies in one struct, or in one block, with an array of pointers: nobody takes them for
 * pointers, though both are known up to multiples of the same step only. */
// RUN: for level in -O0 -O1 -O2 -O3; do %clang $level %include %pass %s -o %t %runtime -lm && %t || exit 1; done
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backsweep.h"

struct filter {
    double *input;
    double taps[4];
    double *rows[2];
    double tail[3];
};

static double run(struct filter *s, int n)
{
    for (int k = 0; k < n; k++) {
        for (int i = 3; i > 0; i--) s->taps[i] = s->taps[i - 1];
        s->taps[0] = s->input[k] * s->taps[3];
        for (int i = 0; i < 2; i++) s->tail[i] = s->tail[i + 1];
        s->tail[2] = s->taps[0] * s->rows[k & 1][0];
    }
    return s->taps[0] + s->tail[0] * s->tail[1];
}

static double in_struct(double x, int n)
{
    double input[4] = {x, 1, x * x, 2}, row[2] = {x, 3};
    struct filter s = {input, {1, x, 2, x}, {row, row + 1}, {x, 1, 2}};
    return run(&s, n);
}

/* Rows and what they lead to, allocated together. */
static double in_block(double x, int n)
{
    void *block = malloc(2 * sizeof(double *) + 8 * sizeof(double));
    double **rows = block, *data = (double *)(rows + 2), sum = 0;
    rows[0] = data;
    rows[1] = data + 4;
    for (int i = 0; i < 8; i++) data[i] = x * i;
    for (int i = 1; i < 8; i++) data[i - 1] = data[i];
    for (int r = 0; r < 2; r++)
        for (int i = 0; i < 4; i++) sum += rows[r][i] * rows[(r + n) % 2][i];
    free(block);
    return sum;
}

static int bad;

static void expect(const char *what, double found, double (*f)(double, int), double x, int n)
{
    const double h = 1e-5, expected = (f(x + h, n) - f(x - h, n)) / (2 * h);
    if (fabs(found - expected) <= 1e-7 * (1 + fabs(expected))) return;
    printf("%s: %.12g, expected %.12g\n", what, found, expected);
    bad++;
}

int main(void)
{
    for (int n = 1; n <= 4; n++) {
        expect("struct", __backsweep_gradient((void *)in_struct, 0.9, n), in_struct, 0.9, n);
        expect("block", __backsweep_gradient((void *)in_block, 0.9, n), in_block, 0.9, n);
    }
    return bad;
}
