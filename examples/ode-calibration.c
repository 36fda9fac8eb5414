/* Finds the four rates of the Lotka–Volterra equations from observed populations: the cost runs the classical Runge–Kutta
 * method through 400 steps, and its gradient runs back through all of them. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

#define RATES 4
#define OBSERVATIONS 40
#define STEPS_BETWEEN 10
#define STEP 0.05

static double observed[OBSERVATIONS][2];

static void growth(const double *state, const double *rate, double *change)
{
    change[0] = rate[0] * state[0] - rate[1] * state[0] * state[1];
    change[1] = rate[2] * state[0] * state[1] - rate[3] * state[1];
}

static void step(double *state, const double *rate)
{
    double k1[2], k2[2], k3[2], k4[2], at[2];
    growth(state, rate, k1);
    for (int i = 0; i < 2; i++)
        at[i] = state[i] + STEP / 2 * k1[i];
    growth(at, rate, k2);
    for (int i = 0; i < 2; i++)
        at[i] = state[i] + STEP / 2 * k2[i];
    growth(at, rate, k3);
    for (int i = 0; i < 2; i++)
        at[i] = state[i] + STEP * k3[i];
    growth(at, rate, k4);
    for (int i = 0; i < 2; i++)
        state[i] += STEP / 6 * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]);
}

/* The mean of the squared distances from the observations. */
static double cost(const double *rate, const double (*observation)[2])
{
    double state[2] = {10, 5}, sum = 0;
    for (int k = 0; k < OBSERVATIONS; k++) {
        for (int s = 0; s < STEPS_BETWEEN; s++)
            step(state, rate);
        for (int i = 0; i < 2; i++)
            sum += (state[i] - observation[k][i]) * (state[i] - observation[k][i]);
    }
    return sum / OBSERVATIONS;
}

static double cost_and_gradient(const double *rate, double *gradient)
{
    memset(gradient, 0, RATES * sizeof *gradient);
    return __backsweep_gradient((void *)cost, bs_primal_return, bs_dup, rate, gradient, bs_const, observed);
}

static void observe(const double *rate)
{
    double state[2] = {10, 5};
    for (int k = 0; k < OBSERVATIONS; k++) {
        for (int s = 0; s < STEPS_BETWEEN; s++)
            step(state, rate);
        memcpy(observed[k], state, sizeof state);
    }
}

static double worst_difference(double *rate)
{
    double gradient[RATES], worst = 0;
    cost_and_gradient(rate, gradient);
    for (int i = 0; i < RATES; i++) {
        double at = rate[i], h = 1e-6 * at, up, down;
        rate[i] = at + h;
        up = cost(rate, observed);
        rate[i] = at - h;
        down = cost(rate, observed);
        rate[i] = at;
        worst = fmax(worst, fabs(gradient[i] - (up - down) / (2 * h)) / (1 + fabs(gradient[i])));
    }
    return worst;
}

/* One step of BFGS in the logarithms of the rates, which have very different sizes and must stay positive. */
int main(void)
{
    const double truth[RATES] = {1.1, 0.4, 0.1, 0.4};
    double rate[RATES] = {1.0, 0.35, 0.12, 0.45}, gradient[RATES], inverse[RATES][RATES] = {{0}};
    observe(truth);
    double difference = worst_difference(rate);
    double value = cost_and_gradient(rate, gradient);
    for (int i = 0; i < RATES; i++)
        inverse[i][i] = 1e-3;
    int steps = 0;
    for (; steps < 300 && value > 1e-22; steps++) {
        double slope[RATES], move[RATES], next[RATES], after[RATES], next_value, length = 1, along = 0;
        for (int i = 0; i < RATES; i++)
            slope[i] = gradient[i] * rate[i];
        for (int i = 0; i < RATES; i++) {
            move[i] = 0;
            for (int j = 0; j < RATES; j++)
                move[i] -= inverse[i][j] * slope[j];
            along += move[i] * slope[i];
        }
        for (;; length /= 2) {
            for (int i = 0; i < RATES; i++)
                next[i] = rate[i] * exp(length * move[i]);
            next_value = cost_and_gradient(next, after);
            if (next_value <= value + 1e-4 * length * along || length < 1e-10)
                break;
        }
        double s[RATES], y[RATES], hy[RATES], sy = 0, yhy = 0;
        for (int i = 0; i < RATES; i++) {
            s[i] = length * move[i];
            y[i] = after[i] * next[i] - slope[i];
            sy += s[i] * y[i];
        }
        for (int i = 0; i < RATES; i++) {
            hy[i] = 0;
            for (int j = 0; j < RATES; j++)
                hy[i] += inverse[i][j] * y[j];
            yhy += y[i] * hy[i];
        }
        if (sy > 0)
            for (int i = 0; i < RATES; i++)
                for (int j = 0; j < RATES; j++)
                    inverse[i][j] += (1 + yhy / sy) * s[i] * s[j] / sy - (hy[i] * s[j] + s[i] * hy[j]) / sy;
        memcpy(rate, next, sizeof rate);
        memcpy(gradient, after, sizeof gradient);
        value = next_value;
    }
    double error = 0;
    for (int i = 0; i < RATES; i++)
        error = fmax(error, fabs(rate[i] - truth[i]));
    printf("rates %.6f %.6f %.6f %.6f after %d steps\n", rate[0], rate[1], rate[2], rate[3], steps);
    printf("cost %.1e, central differences agree to %.1e\n", value, difference);
    return !(error < 1e-7 && difference < 1e-6);
}
