/* The value of a portfolio of call options by Black and Scholes, by price, strike, volatility, rate and time of each. */
#include "../program.h"

#define OPTIONS 5000
#define N (5 * OPTIONS)

static void set_up(double *x)
{
    for (size_t i = 0; i < OPTIONS; i++) {
        x[5 * i] = 100 + 20 * bench_number(i);
        x[5 * i + 1] = 100 + 20 * bench_number(i + 1);
        x[5 * i + 2] = 0.3 + 0.1 * bench_number(i + 2);
        x[5 * i + 3] = 0.03 + 0.01 * bench_number(i + 3);
        x[5 * i + 4] = 1.5 + bench_number(i + 4);
    }
}

static double normal(double z) { return 0.5 * erfc(-z * 0.70710678118654752); }

static double call_price(double price, double strike, double volatility, double rate, double time)
{
    double deviation = volatility * sqrt(time);
    double d1 = (log(price / strike) + (rate + 0.5 * volatility * volatility) * time) / deviation;
    return price * normal(d1) - strike * exp(-rate * time) * normal(d1 - deviation);
}

static double primal(const double *restrict x, double *restrict work)
{
    double sum = 0;
    (void)work;
    for (int i = 0; i < OPTIONS; i++)
        sum += call_price(x[5 * i], x[5 * i + 1], x[5 * i + 2], x[5 * i + 3], x[5 * i + 4]);
    return sum;
}

/* The Greeks. price n(d1) = strike e^(-rt) n(d2), so what the bounds say about each other cancels. */
static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    (void)work, (void)dwork;
    for (int i = 0; i < OPTIONS; i++) {
        double price = x[5 * i], strike = x[5 * i + 1], volatility = x[5 * i + 2], rate = x[5 * i + 3], time = x[5 * i + 4];
        double root = sqrt(time), deviation = volatility * root;
        double d1 = (log(price / strike) + (rate + 0.5 * volatility * volatility) * time) / deviation;
        double discount = exp(-rate * time), second = discount * normal(d1 - deviation);
        double density = price * 0.39894228040143268 * exp(-0.5 * d1 * d1);
        dx[5 * i] += normal(d1);
        dx[5 * i + 1] -= second;
        dx[5 * i + 2] += density * root;
        dx[5 * i + 3] += strike * time * second;
        dx[5 * i + 4] += density * volatility / (2 * root) + strike * rate * second;
    }
}

BENCH_PROGRAM(black_scholes, N, 1)
