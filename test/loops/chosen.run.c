/* What a loop only chooses among numbers of its passes is read again behind it: the greatest, the least, the last that meets a
 * condition, in nests, by branches, `fmax` and comparisons, with ties, where none is taken, and where the loop is left in the middle.
 * What may be overwritten meanwhile, or is computed with on the way, is recorded as before. */
// RUN: %levels %s double 0.8 1.3 -0.4 2.1 1.7
// RUN: env BACKSWEEP_OPTIONS=disable=chosen %levels %s double 0.8 1.3 -0.4 2.1 1.7
#include "source.h"
#include <math.h>

static double greatest(const double *x, int n)
{
    double largest = x[0];
    for (int i = 1; i < n; i++)
        if (x[i] > largest)
            largest = x[i];
    return largest * largest;
}

/* Nothing is taken, and the least of what is computed in each pass. */
static double least(const double *x, int n)
{
    double none = x[1] - 100, smallest = HUGE_VAL;
    for (int i = 0; i < n; i++) {
        none = fmin(none, x[i]);
        smallest = fmin(exp(x[i]) * x[(i + 1) % n], smallest);
    }
    return none * x[2] + sin(smallest);
}

/* The greatest of all pairs, by an index from a table. */
static double of_pairs(const double *x, int n)
{
    const int order[5] = {3, 1, 4, 0, 2};
    double largest = -HUGE_VAL;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) {
            double apart = fabs(x[order[i]] - x[j]);
            largest = apart > largest ? apart : largest;
        }
    return cos(largest);
}

/* Of equal numbers the first counts here, there the last: what the derivative is of shows by the factor. */
static double ties(const double *x, int n)
{
    double first = 0, last = 0, best = -1, most = -1;
    for (int i = 0; i < n; i++) {
        double level = i % 2;
        if (level > best)
            best = level, first = x[i];
        if (level >= most)
            most = level, last = x[i];
    }
    return first * 3 + last * last;
}

/* The last before the loop is left, by two ways. */
static double found(const double *x, int n)
{
    double before = x[n - 1], at = 0;
    for (int i = 0; i < n; i++) {
        if (x[i] < 0)
            before = x[i] * x[i];
        if (i == 3)
            break;
        if (x[i] > 1)
            at = x[i];
    }
    return before * at;
}

/* What is chosen is overwritten before the loop ends, computed with in the loop, or a sum of an inner loop. */
static double not_again(const double *x, int n)
{
    double w[5], largest = -1, sum = 0, running = x[0], total, best = -HUGE_VAL;
    for (int i = 0; i < n; i++)
        w[i] = x[i] * x[i];
    for (int i = 0; i < n; i++) {
        if (w[i] > largest)
            largest = w[i];
        w[n - 1 - i] = 0.5 * w[i];
    }
    for (int i = 1; i < n; i++) {
        running = fmax(running, x[i]);
        sum += running * x[i];
    }
    for (int i = 0; i < n; i++) {
        total = 0;
        for (int j = 0; j < n; j++)
            total += sin(x[i] * x[j]);
        if (total > best)
            best = total;
    }
    return largest + sum + best;
}

/* A maximum in each step, of what the step before has left. */
static double steps(const double *x, int n)
{
    double state[5], product = 1;
    for (int i = 0; i < n; i++)
        state[i] = x[i];
    for (int t = 0; t < 3; t++) {
        double largest = state[0];
        for (int i = 1; i < n; i++)
            largest = fmax(largest, state[i]);
        product *= largest;
        for (int i = 0; i < n; i++)
            state[i] = state[i] * 0.5 - 0.1 * largest * state[(i + 1) % n];
    }
    return product;
}

/* By an address that walks. */
static double walked(const double *x, int n)
{
    const double *end = x + n;
    double largest = *x;
    for (const double *at = x; at != end; ++at)
        if (*at > largest)
            largest = *at;
    return largest * largest * largest;
}

double all(const double *x, int n)
{
    return greatest(x, n) + least(x, n) + of_pairs(x, n) + ties(x, n) + found(x, n) + not_again(x, n) + steps(x, n) + walked(x, n);
}

REQUESTS(all)
