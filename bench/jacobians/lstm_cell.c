/* A cell with long short-term memory: four gates with three weights each, the state and the memory before; and one cell over a sequence. */
#include "../jacobian.h"

#define CELLS 256
#define LENGTH 3000

static void set_up(double *x)
{
    for (size_t i = 0; i < 15 * CELLS; i++)
        x[i] = 0.8 * bench_number(i);
}

static double sigmoid(double z) { return 1 / (1 + exp(-z)); }

/* x: the weights, what is handed in, the state, the memory. */
static void element(const double *restrict x, double *restrict f)
{
    double in = x[12], h = x[13], c = x[14];
    double forget = sigmoid(x[0] * in + x[1] * h + x[2]), take = sigmoid(x[3] * in + x[4] * h + x[5]);
    double give = sigmoid(x[6] * in + x[7] * h + x[8]), new = tanh(x[9] * in + x[10] * h + x[11]);
    c = forget * c + take * new;
    f[0] = give * tanh(c);
    f[1] = c;
}

static double number(const double *restrict x, double *restrict work)
{
    double h = x[13], c = x[14], sum = 0;
    (void)work;
    for (int t = 0; t < LENGTH; t++) {
        double in = x[15 + t];
        double forget = sigmoid(x[0] * in + x[1] * h + x[2]), take = sigmoid(x[3] * in + x[4] * h + x[5]);
        double give = sigmoid(x[6] * in + x[7] * h + x[8]), new = tanh(x[9] * in + x[10] * h + x[11]);
        c = forget * c + take * new;
        h = give * tanh(c);
        sum += h * h;
    }
    return sum;
}

JACOBIAN_KERNEL(lstm_cell, CELLS, 15, 2, 1)
