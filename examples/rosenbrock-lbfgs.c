/* Minimises Rosenbrock's function of a hundred variables by L-BFGS, whose every step needs a gradient. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

#define N 100
#define MEMORY 8

static double rosenbrock(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i + 1 < n; i++) {
        double a = 1 - x[i], b = x[i + 1] - x[i] * x[i];
        sum += a * a + 100 * b * b;
    }
    return sum;
}

static double value_and_gradient(const double *x, double *gradient)
{
    memset(gradient, 0, N * sizeof *gradient);
    return __backsweep_gradient((void *)rosenbrock, bs_primal_return, x, gradient, N);
}

static double dot(const double *a, const double *b)
{
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += a[i] * b[i];
    return sum;
}

/* The last steps s and changes of gradient y; `newest` counts all there ever were. */
struct history {
    double s[MEMORY][N], y[MEMORY][N], rho[MEMORY];
    int newest;
};

/* The two-loop recursion: the gradient times an estimate of the inverse Hessian. */
static void find_direction(const struct history *history, const double *gradient, double *direction)
{
    double alpha[MEMORY];
    int oldest = history->newest > MEMORY ? history->newest - MEMORY : 0;
    memcpy(direction, gradient, N * sizeof *direction);
    for (int k = history->newest - 1; k >= oldest; k--) {
        int slot = k % MEMORY;
        alpha[slot] = history->rho[slot] * dot(history->s[slot], direction);
        for (int i = 0; i < N; i++)
            direction[i] -= alpha[slot] * history->y[slot][i];
    }
    if (history->newest > 0) {
        int slot = (history->newest - 1) % MEMORY;
        double scale = 1 / (history->rho[slot] * dot(history->y[slot], history->y[slot]));
        for (int i = 0; i < N; i++)
            direction[i] *= scale;
    }
    for (int k = oldest; k < history->newest; k++) {
        int slot = k % MEMORY;
        double beta = history->rho[slot] * dot(history->y[slot], direction);
        for (int i = 0; i < N; i++)
            direction[i] += history->s[slot][i] * (alpha[slot] - beta);
    }
}

static void remember(struct history *history, const double *from, const double *to, const double *before, const double *after)
{
    int slot = history->newest % MEMORY;
    for (int i = 0; i < N; i++) {
        history->s[slot][i] = to[i] - from[i];
        history->y[slot][i] = after[i] - before[i];
    }
    double curvature = dot(history->s[slot], history->y[slot]);
    if (curvature <= 0)
        return;
    history->rho[slot] = 1 / curvature;
    history->newest++;
}

static double worst_difference(double *x)
{
    double gradient[N], worst = 0, h = 1e-6;
    value_and_gradient(x, gradient);
    for (int i = 0; i < N; i++) {
        double at = x[i], up, down;
        x[i] = at + h;
        up = rosenbrock(x, N);
        x[i] = at - h;
        down = rosenbrock(x, N);
        x[i] = at;
        worst = fmax(worst, fabs(gradient[i] - (up - down) / (2 * h)) / (1 + fabs(gradient[i])));
    }
    return worst;
}

int main(void)
{
    static struct history history;
    double x[N], next[N], gradient[N], after[N], direction[N], value;
    int step = 0;
    for (int i = 0; i < N; i++)
        x[i] = i % 2 ? 1.0 : -1.2;
    double difference = worst_difference(x);
    value = value_and_gradient(x, gradient);
    while (step < 2000 && sqrt(dot(gradient, gradient)) > 1e-9) {
        find_direction(&history, gradient, direction);
        double slope = dot(gradient, direction), length = 1, next_value = value;
        /* Back until the value has fallen as the slope promises. */
        for (;; length /= 2) {
            for (int i = 0; i < N; i++)
                next[i] = x[i] - length * direction[i];
            next_value = value_and_gradient(next, after);
            if (next_value <= value - 1e-4 * length * slope || length < 1e-12)
                break;
        }
        remember(&history, x, next, gradient, after);
        memcpy(x, next, sizeof x);
        memcpy(gradient, after, sizeof gradient);
        value = next_value;
        step++;
    }
    double error = 0;
    for (int i = 0; i < N; i++)
        error = fmax(error, fabs(x[i] - 1));
    printf("%d steps, value %.1e, distance from (1, …, 1) %.1e, central differences agree to %.1e\n", step, value, error, difference);
    return !(error < 1e-8 && difference < 1e-7);
}
