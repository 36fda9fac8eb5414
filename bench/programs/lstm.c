/* A recurrent network with long short-term memory, by all its weights: four gates of a hidden state over a sequence. */
#include "../program.h"

#define HIDDEN 24
#define INPUT 12
#define LENGTH 32
#define ROW (HIDDEN + INPUT + 1)
#define N (4 * HIDDEN * ROW)
#define STATE (6 * HIDDEN)

static double sequence[LENGTH][INPUT];

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = 0.3 * bench_number(i);
    for (size_t t = 0; t < LENGTH; t++)
        for (size_t i = 0; i < INPUT; i++)
            sequence[t][i] = bench_number(t * INPUT + i + 5);
}

static double sigmoid(double z) { return 1 / (1 + exp(-z)); }

/* work: the hidden state, the cell, the sums of the four gates. */
static double primal(const double *restrict x, double *restrict work)
{
    double *h = work, *c = work + HIDDEN, *gate = work + 2 * HIDDEN, sum = 0;
    for (int i = 0; i < 2 * HIDDEN; i++)
        work[i] = 0;
    for (int t = 0; t < LENGTH; t++) {
        for (int g = 0; g < 4 * HIDDEN; g++) {
            const double *row = x + g * ROW;
            double z = row[HIDDEN + INPUT];
            for (int k = 0; k < HIDDEN; k++)
                z += row[k] * h[k];
            for (int k = 0; k < INPUT; k++)
                z += row[HIDDEN + k] * sequence[t][k];
            gate[g] = z;
        }
        for (int k = 0; k < HIDDEN; k++) {
            c[k] = sigmoid(gate[k]) * c[k] + sigmoid(gate[HIDDEN + k]) * tanh(gate[2 * HIDDEN + k]);
            h[k] = sigmoid(gate[3 * HIDDEN + k]) * tanh(c[k]);
            sum += h[k] * h[k];
        }
    }
    return sum;
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    /* For every step the values of the gates, and the states before it. */
    static double gates[LENGTH][4][HIDDEN], cells[LENGTH + 1][HIDDEN], hiddens[LENGTH + 1][HIDDEN], squashed[LENGTH][HIDDEN];
    double dh[HIDDEN] = {0}, dc[HIDDEN] = {0}, dz[4 * HIDDEN];
    (void)work, (void)dwork;
    for (int k = 0; k < HIDDEN; k++)
        cells[0][k] = hiddens[0][k] = 0;
    for (int t = 0; t < LENGTH; t++) {
        for (int g = 0; g < 4 * HIDDEN; g++) {
            const double *row = x + g * ROW;
            double z = row[HIDDEN + INPUT];
            for (int k = 0; k < HIDDEN; k++)
                z += row[k] * hiddens[t][k];
            for (int k = 0; k < INPUT; k++)
                z += row[HIDDEN + k] * sequence[t][k];
            gates[t][g / HIDDEN][g % HIDDEN] = g / HIDDEN == 2 ? tanh(z) : sigmoid(z);
        }
        for (int k = 0; k < HIDDEN; k++) {
            cells[t + 1][k] = gates[t][0][k] * cells[t][k] + gates[t][1][k] * gates[t][2][k];
            squashed[t][k] = tanh(cells[t + 1][k]);
            hiddens[t + 1][k] = gates[t][3][k] * squashed[t][k];
        }
    }
    for (int t = LENGTH - 1; t >= 0; t--) {
        for (int k = 0; k < HIDDEN; k++) {
            double forget = gates[t][0][k], in = gates[t][1][k], new = gates[t][2][k], out = gates[t][3][k];
            double d = dh[k] + 2 * hiddens[t + 1][k];
            double cell = dc[k] + d * out * (1 - squashed[t][k] * squashed[t][k]);
            dz[k] = cell * cells[t][k] * forget * (1 - forget);
            dz[HIDDEN + k] = cell * new * in * (1 - in);
            dz[2 * HIDDEN + k] = cell * in * (1 - new * new);
            dz[3 * HIDDEN + k] = d * squashed[t][k] * out * (1 - out);
            dc[k] = cell * forget;
            dh[k] = 0;
        }
        for (int g = 0; g < 4 * HIDDEN; g++) {
            const double *row = x + g * ROW;
            double *drow = dx + g * ROW;
            for (int k = 0; k < HIDDEN; k++) {
                drow[k] += dz[g] * hiddens[t][k];
                dh[k] += dz[g] * row[k];
            }
            for (int k = 0; k < INPUT; k++)
                drow[HIDDEN + k] += dz[g] * sequence[t][k];
            drow[HIDDEN + INPUT] += dz[g];
        }
    }
}

BENCH_PROGRAM(lstm, N, STATE)
