/* The negative log-likelihood of a mixture of Gaussians with diagonal covariances, by weights, means and log-deviations. */
#include "../program.h"

#define COMPONENTS 8
#define DIMENSIONS 6
#define POINTS 1000
#define EACH (1 + 2 * DIMENSIONS)
#define N (COMPONENTS * EACH)

static double points[POINTS][DIMENSIONS];

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = 0.5 * bench_number(i);
    for (size_t p = 0; p < POINTS; p++)
        for (size_t d = 0; d < DIMENSIONS; d++)
            points[p][d] = 2 * bench_number(p * DIMENSIONS + d + 3);
}

/* The exponent of one component at one point; c is its weight, its mean and the logarithms of its inverse deviations. */
static double exponent(const double *c, const double *point)
{
    double sum = c[0];
    for (int d = 0; d < DIMENSIONS; d++) {
        double q = exp(c[1 + DIMENSIONS + d]) * (point[d] - c[1 + d]);
        sum += c[1 + DIMENSIONS + d] - 0.5 * q * q;
    }
    return sum;
}

static double log_sum_exp(const double *values, int count)
{
    double largest = values[0], sum = 0;
    for (int k = 1; k < count; k++)
        if (values[k] > largest)
            largest = values[k];
    for (int k = 0; k < count; k++)
        sum += exp(values[k] - largest);
    return largest + log(sum);
}

static double primal(const double *restrict x, double *restrict work)
{
    double sum = 0, weights[COMPONENTS];
    for (int p = 0; p < POINTS; p++) {
        for (int k = 0; k < COMPONENTS; k++)
            work[k] = exponent(x + k * EACH, points[p]);
        sum -= log_sum_exp(work, COMPONENTS);
    }
    for (int k = 0; k < COMPONENTS; k++)
        weights[k] = x[k * EACH];
    return sum + POINTS * log_sum_exp(weights, COMPONENTS);
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    double scale[COMPONENTS][DIMENSIONS], weights[COMPONENTS], total;
    (void)dwork;
    for (int k = 0; k < COMPONENTS; k++) {
        weights[k] = x[k * EACH];
        for (int d = 0; d < DIMENSIONS; d++)
            scale[k][d] = exp(x[k * EACH + 1 + DIMENSIONS + d]);
    }
    for (int p = 0; p < POINTS; p++) {
        for (int k = 0; k < COMPONENTS; k++) {
            double sum = x[k * EACH];
            for (int d = 0; d < DIMENSIONS; d++) {
                double q = scale[k][d] * (points[p][d] - x[k * EACH + 1 + d]);
                sum += x[k * EACH + 1 + DIMENSIONS + d] - 0.5 * q * q;
            }
            work[k] = sum;
        }
        total = log_sum_exp(work, COMPONENTS);
        for (int k = 0; k < COMPONENTS; k++) {
            double share = -exp(work[k] - total), *dc = dx + k * EACH;
            dc[0] += share;
            for (int d = 0; d < DIMENSIONS; d++) {
                double q = scale[k][d] * (points[p][d] - x[k * EACH + 1 + d]);
                dc[1 + d] += share * q * scale[k][d];
                dc[1 + DIMENSIONS + d] += share * (1 - q * q);
            }
        }
    }
    total = log_sum_exp(weights, COMPONENTS);
    for (int k = 0; k < COMPONENTS; k++)
        dx[k * EACH] += POINTS * exp(weights[k] - total);
}

BENCH_PROGRAM(gmm, N, COMPONENTS)
