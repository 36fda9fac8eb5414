/* Fits a + b exp(-c t) cos(d t) to measurements by Gauss–Newton steps. The model is written for one time, and forward mode in
 * four directions at once gives a row of the Jacobian. */
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

#define PARAMETERS 4
#define MEASUREMENTS 60

struct row {
    double d[PARAMETERS];
};
struct row __backsweep_tangent_row(void *function, ...);

static double model(double t, double a, double b, double c, double d) { return a + b * exp(-c * t) * cos(d * t); }

static double model_at(double t, const double *p) { return model(t, p[0], p[1], p[2], p[3]); }

/* The derivatives of the model at time t by its parameters: each has one direction in which it is 1. */
static struct row derivatives(double t, const double *p)
{
    return __backsweep_tangent_row((void *)model, bs_width, PARAMETERS, bs_const, t,
                                   p[0], 1.0, 0.0, 0.0, 0.0,
                                   p[1], 0.0, 1.0, 0.0, 0.0,
                                   p[2], 0.0, 0.0, 1.0, 0.0,
                                   p[3], 0.0, 0.0, 0.0, 1.0);
}

/* Solves the normal equations by elimination; they are small and positive definite. */
static void solve(double matrix[PARAMETERS][PARAMETERS], double *right)
{
    for (int k = 0; k < PARAMETERS; k++)
        for (int i = k + 1; i < PARAMETERS; i++) {
            double factor = matrix[i][k] / matrix[k][k];
            for (int j = k; j < PARAMETERS; j++)
                matrix[i][j] -= factor * matrix[k][j];
            right[i] -= factor * right[k];
        }
    for (int i = PARAMETERS - 1; i >= 0; i--) {
        for (int j = i + 1; j < PARAMETERS; j++)
            right[i] -= matrix[i][j] * right[j];
        right[i] /= matrix[i][i];
    }
}

/* The worst disagreement with central differences, relative to the derivative. */
static double worst_difference(const double *p)
{
    double worst = 0;
    for (int m = 0; m < MEASUREMENTS; m++) {
        struct row row = derivatives(0.1 * m, p);
        for (int k = 0; k < PARAMETERS; k++) {
            double up[PARAMETERS], down[PARAMETERS], h = 1e-6;
            for (int j = 0; j < PARAMETERS; j++)
                up[j] = down[j] = p[j];
            up[k] += h;
            down[k] -= h;
            double difference = (model_at(0.1 * m, up) - model_at(0.1 * m, down)) / (2 * h);
            worst = fmax(worst, fabs(row.d[k] - difference) / (1 + fabs(difference)));
        }
    }
    return worst;
}

int main(void)
{
    const double truth[PARAMETERS] = {0.5, 2.0, 0.3, 1.7};
    double p[PARAMETERS] = {0.0, 1.5, 0.5, 1.5};
    double measured[MEASUREMENTS], residual_norm = 0;
    for (int m = 0; m < MEASUREMENTS; m++)
        measured[m] = model_at(0.1 * m, truth);

    for (int step = 0; step < 20; step++) {
        double matrix[PARAMETERS][PARAMETERS] = {{0}}, right[PARAMETERS] = {0};
        residual_norm = 0;
        for (int m = 0; m < MEASUREMENTS; m++) {
            struct row row = derivatives(0.1 * m, p);
            double residual = measured[m] - model_at(0.1 * m, p);
            residual_norm += residual * residual;
            for (int i = 0; i < PARAMETERS; i++) {
                right[i] += row.d[i] * residual;
                for (int j = 0; j < PARAMETERS; j++)
                    matrix[i][j] += row.d[i] * row.d[j];
            }
        }
        solve(matrix, right);
        for (int i = 0; i < PARAMETERS; i++)
            p[i] += right[i];
    }

    double error = 0;
    for (int i = 0; i < PARAMETERS; i++)
        error = fmax(error, fabs(p[i] - truth[i]));
    double difference = worst_difference(p);
    printf("a = %.6f, b = %.6f, c = %.6f, d = %.6f\n", p[0], p[1], p[2], p[3]);
    printf("squared residuals %.1e, central differences agree to %.1e\n", residual_norm, difference);
    return !(error < 1e-10 && difference < 1e-8);
}
