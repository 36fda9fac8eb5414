// Tables that recursion fills and memset clears: of numbers, of marks, with a NaN for "not known yet"; one is found by a global.
// RUN: %levels %s double 0.9 1.1 0.7 1.3
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "source.h"

static double knots[32], pieces[16][16];
static char known[16][16];

static double spline(int i, int p, double t)
{
    if (p == 0)
        return knots[i] <= t && t < knots[i + 1];
    if (known[i][p])
        return pieces[i][p];
    double y = (t - knots[i]) / (knots[i + p] - knots[i]) * spline(i, p - 1, t) +
               (knots[i + p + 1] - t) / (knots[i + p + 1] - knots[i + 1]) * spline(i + 1, p - 1, t);
    known[i][p] = 1;
    return pieces[i][p] = y;
}

static double *costs;
static int states;

static double least_cost(int s, int t, const double *cost)
{
    if (t == 0)
        return cost[s % 4];
    double *place = &costs[t * states + s];
    if (*place != -1.0)
        return *place;
    double best = HUGE_VAL;
    for (int d = 0; d < 3; d++) {
        double c = cost[(s + d) % 4] * (d + 1) + 0.9 * least_cost((s + d) % states, t - 1, cost);
        best = c < best ? c : best;
    }
    return *place = best;
}

static double polynomials[40];

static double legendre(int l, double x)
{
    if (l < 2)
        return l ? x : 1;
    if (!isnan(polynomials[l]))
        return polynomials[l];
    return polynomials[l] = ((2 * l - 1) * x * legendre(l - 1, x) - (l - 1) * legendre(l - 2, x)) / l;
}

static double f(const double *x, int n)
{
    double y = 0;
    for (int i = 0; i < 20; i++)
        knots[i] = i * 0.5 + 0.1 * x[i % n];
    for (int e = 0; e < 3; e++) {
        memset(known, 0, sizeof known);
        memset(pieces, 0, sizeof pieces);
        for (int i = 0; i < 6; i++)
            y += spline(i, 3, 2.3 + 0.7 * e + 0.05 * x[0]) * x[i % n];
    }
    states = 7;
    costs = malloc(8 * states * sizeof *costs);
    for (int i = 0; i < 8 * states; i++)
        costs[i] = -1.0;
    for (int s = 0; s < states; s++)
        y += least_cost(s, 7, x);
    free(costs);
    memset(polynomials, 0xff, sizeof polynomials);
    return y + legendre(9, 0.3 * x[1]);
}

REQUESTS(f)
