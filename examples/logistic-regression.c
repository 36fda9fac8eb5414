/* Logistic regression: the gradient of the negative log-likelihood of a few hundred samples, and gradient descent with it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backsweep.h"

#define SAMPLES 400
#define FEATURES 5

static double features[SAMPLES][FEATURES];
static double labels[SAMPLES];

/* -log of the likelihood that the samples have their labels, and a little weight decay so that it has a minimum. */
static double loss(const double *weights, const double (*x)[FEATURES], const double *label, int samples)
{
    double sum = 0;
    for (int s = 0; s < samples; s++) {
        double score = weights[FEATURES];
        for (int k = 0; k < FEATURES; k++)
            score += weights[k] * x[s][k];
        /* log(1 + e^z) without overflow. */
        double z = label[s] > 0.5 ? -score : score;
        sum += z > 0 ? z + log1p(exp(-z)) : log1p(exp(z));
    }
    sum /= samples;
    for (int k = 0; k < FEATURES; k++)
        sum += 1e-3 * weights[k] * weights[k];
    return sum;
}

static double loss_and_gradient(const double *weights, double *gradient)
{
    for (int k = 0; k <= FEATURES; k++)
        gradient[k] = 0;
    return __backsweep_gradient((void *)loss, bs_primal_return, bs_dup, weights, gradient, bs_const, features, bs_const, labels,
                                SAMPLES);
}

static double uniform(void) { return (double)rand() / RAND_MAX * 2 - 1; }

static void make_samples(void)
{
    const double truth[FEATURES + 1] = {2, -1, 0.5, 0, 1.5, -0.25};
    srand(1);
    for (int s = 0; s < SAMPLES; s++) {
        double score = truth[FEATURES];
        for (int k = 0; k < FEATURES; k++) {
            features[s][k] = uniform();
            score += truth[k] * features[s][k];
        }
        labels[s] = uniform() < 2 / (1 + exp(-score)) - 1;
    }
}

int main(void)
{
    double weights[FEATURES + 1] = {0}, gradient[FEATURES + 1], worst = 0, value = 0, norm = 0;
    make_samples();
    for (int step = 0; step < 4000; step++) {
        value = loss_and_gradient(weights, gradient);
        if (step == 10)
            for (int k = 0; k <= FEATURES; k++) {
                double h = 1e-6, at = weights[k], up, down;
                weights[k] = at + h;
                up = loss(weights, features, labels, SAMPLES);
                weights[k] = at - h;
                down = loss(weights, features, labels, SAMPLES);
                weights[k] = at;
                worst = fmax(worst, fabs(gradient[k] - (up - down) / (2 * h)));
            }
        norm = 0;
        for (int k = 0; k <= FEATURES; k++) {
            weights[k] -= 1.5 * gradient[k];
            norm = fmax(norm, fabs(gradient[k]));
        }
    }
    printf("weights");
    for (int k = 0; k <= FEATURES; k++)
        printf(" %.4f", weights[k]);
    printf("\nloss %.6f, largest derivative %.1e, central differences agree to %.1e\n", value, norm, worst);
    return !(norm < 1e-9 && worst < 1e-9);
}
