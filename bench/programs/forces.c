/* The forces of gravitation between bodies, with softening, and the sum of their squares: an inner sum for each body. */
#include "../program.h"

#define BODIES 160
#define N (3 * BODIES)
#define SOFTENING 0.05

static void set_up(double *x)
{
    for (size_t i = 0; i < N; i++)
        x[i] = bench_number(i);
}

static double primal(const double *restrict x, double *restrict work)
{
    double sum = 0;
    (void)work;
    for (int a = 0; a < BODIES; a++) {
        double pull0 = 0, pull1 = 0, pull2 = 0;
        for (int b = 0; b < BODIES; b++) {
            double d0 = x[3 * b] - x[3 * a], d1 = x[3 * b + 1] - x[3 * a + 1], d2 = x[3 * b + 2] - x[3 * a + 2];
            double s = d0 * d0 + d1 * d1 + d2 * d2 + SOFTENING;
            double strength = 1 / (s * sqrt(s));
            pull0 += strength * d0;
            pull1 += strength * d1;
            pull2 += strength * d2;
        }
        sum += pull0 * pull0 + pull1 * pull1 + pull2 * pull2;
    }
    return sum;
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    (void)work, (void)dwork;
    for (int a = 0; a < BODIES; a++) {
        double g0 = 0, g1 = 0, g2 = 0;
        for (int b = 0; b < BODIES; b++) {
            double d0 = x[3 * b] - x[3 * a], d1 = x[3 * b + 1] - x[3 * a + 1], d2 = x[3 * b + 2] - x[3 * a + 2];
            double s = d0 * d0 + d1 * d1 + d2 * d2 + SOFTENING;
            double strength = 1 / (s * sqrt(s));
            g0 += 2 * strength * d0;
            g1 += 2 * strength * d1;
            g2 += 2 * strength * d2;
        }
        for (int b = 0; b < BODIES; b++) {
            double d0 = x[3 * b] - x[3 * a], d1 = x[3 * b + 1] - x[3 * a + 1], d2 = x[3 * b + 2] - x[3 * a + 2];
            double s = d0 * d0 + d1 * d1 + d2 * d2 + SOFTENING;
            double strength = 1 / (s * sqrt(s));
            double along = 3 * (g0 * d0 + g1 * d1 + g2 * d2) / s;
            double q0 = strength * (g0 - along * d0), q1 = strength * (g1 - along * d1), q2 = strength * (g2 - along * d2);
            dx[3 * b] += q0;
            dx[3 * b + 1] += q1;
            dx[3 * b + 2] += q2;
            dx[3 * a] -= q0;
            dx[3 * a + 1] -= q1;
            dx[3 * a + 2] -= q2;
        }
    }
}

BENCH_PROGRAM(forces, N, 1)
