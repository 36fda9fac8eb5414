/* A solver whose phases are functions without arguments, chosen by a table: all they compute is in globals, and one says which comes next.
 * Another table holds functions of another kind, which count with the bytes where this one's have numbers.
 * RUN: %levels %s double 0.53 1.37 0.21 0.83 */
#include <math.h>

#include "source.h"

static double level, rate, energy;
static int phase;

static void decay(void)
{
    level *= exp(-rate);
    phase = level > 0.5 ? 0 : 1;
}

static void grow(void)
{
    level += rate * rate;
    phase = 2;
}

static void measure(void)
{
    energy += level * level / (1 + rate);
    phase = 0;
}

static void (*const phases[])(void) = {decay, grow, measure};

struct spring {
    double stiffness;
};

static double pull(void *at, double d) { return ((struct spring *)at)->stiffness * d; }
static double push(void *at, double d) { return ((struct spring *)at)->stiffness += d; }
static double (*const forces[])(void *, double) = {pull, push};

static double count(void *at, double d) { return *(long *)at += (long)d; }
static double (*counts[])(void *, double) = {count, count};

double count_twice(int k, double d)
{
    long many = 0;
    return counts[k & 1](&many, d) + counts[0](&many, d);
}

static double f(const double *x, int n)
{
    level = x[0] + 1;
    rate = x[1];
    energy = 0;
    phase = 0;
    struct spring springs[] = {{x[2]}, {x[3]}};
    double sum = 0;
    for (int i = 0; i < 4 * n; i++) {
        phases[phase]();
        sum += forces[i & 1](&springs[i & 1], level);
    }
    return sum + energy;
}

REQUESTS(f)
