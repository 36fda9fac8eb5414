/* A call option on the average price along independent paths, by price, strike, volatility and rate. */
#include "../program.h"

#define PATHS 2000
#define STEPS 12
#define N 4
#define STEP (1.0 / STEPS)

/* Numbers of about the normal distribution, the same in every run. */
static double normals[PATHS * STEPS];

static void set_up(double *x)
{
    for (size_t i = 0; i < PATHS * STEPS; i++)
        normals[i] = bench_number(3 * i) + bench_number(3 * i + 1) + bench_number(3 * i + 2);
    x[0] = 100;
    x[1] = 98;
    x[2] = 0.2;
    x[3] = 0.05;
}

static double value(const double *restrict x, const double *restrict random)
{
    const double drift = (x[3] - 0.5 * x[2] * x[2]) * STEP, spread = x[2] * sqrt(STEP);
    double sum = 0;
    for (int p = 0; p < PATHS; p++) {
        double price = x[0], average = 0;
        for (int t = 0; t < STEPS; t++) {
            price *= exp(drift + spread * random[p * STEPS + t]);
            average += price / STEPS;
        }
        sum += average > x[1] ? average - x[1] : 0;
    }
    return exp(-x[3]) * sum / PATHS;
}

static double primal(const double *restrict x, double *restrict work)
{
    (void)work;
    return value(x, normals);
}

/* Each path by itself: its prices are kept until it is reversed. */
static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    const double drift = (x[3] - 0.5 * x[2] * x[2]) * STEP, spread = x[2] * sqrt(STEP), discount = exp(-x[3]) / PATHS;
    double sum = 0, ddrift = 0, dspread = 0;
    (void)work, (void)dwork;
    for (int p = 0; p < PATHS; p++) {
        double prices[STEPS], price = x[0], average = 0, dprice = 0;
        for (int t = 0; t < STEPS; t++) {
            price *= exp(drift + spread * normals[p * STEPS + t]);
            prices[t] = price;
            average += price / STEPS;
        }
        if (average <= x[1])
            continue;
        sum += average - x[1];
        dx[1] -= discount;
        /* Along the path back, `dprice` is what the prices from here on say about the logarithm of this one. */
        for (int t = STEPS - 1; t >= 0; t--) {
            dprice += discount / STEPS * prices[t];
            ddrift += dprice;
            dspread += dprice * normals[p * STEPS + t];
        }
        dx[0] += dprice / x[0];
    }
    dx[2] += dspread * sqrt(STEP) - ddrift * x[2] * STEP;
    dx[3] += ddrift * STEP - sum * discount;
}

BENCH_PROGRAM(monte_carlo, N, 1)
