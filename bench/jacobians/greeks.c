/* Black and Scholes with Greeks: the value of a call option, and how it changes, by price, strike, volatility, rate and time. */
#include "../jacobian.h"

#define OPTIONS 1000

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

static void element(const double *restrict x, double *restrict f)
{
    double price = x[0], strike = x[1], volatility = x[2], rate = x[3], time = x[4];
    double root = sqrt(time), deviation = volatility * root;
    double d1 = (log(price / strike) + (rate + 0.5 * volatility * volatility) * time) / deviation, d2 = d1 - deviation;
    double discounted = strike * exp(-rate * time), density = 0.39894228040143268 * exp(-0.5 * d1 * d1);
    double first = normal(d1), second = normal(d2);
    f[0] = price * first - discounted * second;
    f[1] = first;
    f[2] = density / (price * deviation);
    f[3] = price * density * root;
    f[4] = -price * density * volatility / (2 * root) - rate * discounted * second;
    f[5] = time * discounted * second;
}

static double number(const double *restrict x, double *restrict work)
{
    double sum = 0;
    for (int i = 0; i < OPTIONS; i++) {
        element(x + 5 * i, work);
        for (int k = 0; k < 6; k++)
            sum += work[k];
    }
    return sum;
}

JACOBIAN_KERNEL(greeks, OPTIONS, 5, 6, 6)
