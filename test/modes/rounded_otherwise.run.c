// Where products and sums may be one operation, the same expression has other last bits in the reverse sweep than in the forward sweep. What
// was decided by these bits stays decided: which of two numbers was larger, which way was taken, which bin was hit.
// The functions tell what they decided; what the derivative has to be is computed from that.
// RUN: %clang -O2 -mfma -ffp-contract=fast %include %pass %s -o %t %runtime && %t
// RUN: %clang -O3 -mfma -ffast-math %include %pass %s -o %t %runtime && %t
// RUN: %clang -O0 -mfma -ffp-contract=fast %include %pass %s -o %t %runtime && %t
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "backsweep.h"

enum { NODES = 24, BINS = 40 };

/* Particles lie at the edges of bins; where they lie is used once more. */
static double binned(const double *x, const double *grid, int *told, int n)
{
    double bins[BINS] = {0}, s = 0, places[NODES];
    for (int i = 0; i < n; i++) {
        double at = i * grid[1];
        places[i] = at;
        int bin = BINS / 2 + (int)ceil((at - grid[0]) * 10);
        told[i] = bin;
        bins[bin] += x[0] * x[1] * (i + 1);
        s += at * x[2];
    }
    for (int i = 0; i < BINS; i++)
        s += bins[i] * bins[i] * (1 + x[2] * i);
    return s + places[n - 1];
}

static double binned_as_told(const double *x, const double *grid, const int *told, int n)
{
    double bins[BINS] = {0}, s = 0;
    for (int i = 0; i < n; i++) {
        bins[told[i]] += x[0] * x[1] * (i + 1);
        s += i * grid[1] * x[2];
    }
    for (int i = 0; i < BINS; i++)
        s += bins[i] * bins[i] * (1 + x[2] * i);
    return s;
}

/* A node lies at the end of the ramp, and what happens behind is something else. */
static double ramp(const double *x, const double *grid, int *told, int n)
{
    double s = 1;
    for (int i = 0; i < n; i++) {
        double at = i * grid[1], over = at - grid[0];
        told[i] = 0;
        if (over > 0) {
            s = x[0] * x[1] * s + sin(x[2] * s);
            told[i] = 1;
        } else
            s = x[1] * x[2] / (1 + s * s);
        s += at * x[2];
    }
    return s;
}

static double ramp_as_told(const double *x, const double *grid, const int *told, int n)
{
    double s = 1;
    for (int i = 0; i < n; i++) {
        s = told[i] ? x[0] * x[1] * s + sin(x[2] * s) : x[1] * x[2] / (1 + s * s);
        s += i * grid[1] * x[2];
    }
    return s;
}

/* A right that is exercised where that is worth more than to hold it, by relaxation on a grid in place. There the larger is the first, far
   from a tie, and its last bits are those of a product that is used once more. */
struct right {
    char kind;
    double price;
};

static double payoff(const struct right *r, double s)
{
    double d = r->kind == 'c' ? s - r->price : r->price - s;
    return d > 0 ? d : 0;
}

static double exercised(const double *x, const double *grid, const int *told, int n)
{
    const struct right rights[] = {{'p', x[0]}, {'c', x[0] * 0.97}};
    double s = 0;
    for (int k = 0; k < 2; k++) {
        const struct right *r = &rights[k];
        double h = 3 * r->price / n;
        double (*w)[5] = calloc(n + 1, sizeof *w), *v = calloc(n + 1, sizeof *v);
        for (int i = 0; i <= n; i++)
            v[i] = payoff(r, i * h);
        for (int t = 1; t <= 4; t++) {
            for (int i = 1; i < n; i++) {
                double u = i, a = 0.02 * (x[1] * x[1] * u * u - 0.03 * u);
                double b = -0.04 * (x[1] * x[1] * u * u + 0.05), c = 0.02 * (x[1] * x[1] * u * u + 0.03 * u);
                w[i][0] = -a, w[i][1] = 1 - b, w[i][2] = -c;
                w[i][3] = a * v[i - 1] + (1 + b) * v[i] + c * v[i + 1];
            }
            v[0] = payoff(r, 0);
            for (int round = 0; round < 60; round++) {
                double change = 0;
                for (int i = 1; i < n; i++) {
                    double y = (w[i][3] - w[i][0] * v[i - 1] - w[i][2] * v[i + 1]) / w[i][1];
                    y = fmax(payoff(r, i * h), v[i] + 1.2 * (y - v[i]));
                    change += (y - v[i]) * (y - v[i]);
                    v[i] = y;
                }
                if (change < 1e-26)
                    break;
            }
        }
        int at = (int)(x[2] / h);
        s += v[at] + (x[2] / h - at) * (v[at + 1] - v[at]);
        free(w);
        free(v);
    }
    return s;
}

struct kept {
    void *tape;
    double value;
};
struct kept __backsweep_augmented_kept(void *, ...);

typedef double function(const double *, const double *, const int *, int);

static int check(const char *name, function *f, const double *g, const double *grid, const int *told, int n)
{
    double x[3] = {0.98, 0.25, 1.0};
    int bad = 0;
    for (int i = 0; i < 3; i++) {
        double kept = x[i], h = 1e-6;
        x[i] = kept + h;
        double up = f(x, grid, told, n);
        x[i] = kept - h;
        double expected = (up - f(x, grid, told, n)) / (2 * h);
        x[i] = kept;
        if (!(fabs(g[i] - expected) <= 1e-5 * fmax(fabs(expected), 1)))
            bad = 1, printf("%s, %d: %.12g, expected %.12g\n", name, i, g[i], expected);
    }
    return bad;
}

int main(void)
{
    if (!__builtin_cpu_supports("fma"))
        return 0;
    double x[3] = {0.98, 0.25, 1.0};
    int bad = 0;
    /* Ten steps end at the place, but for what is lost in rounding them: 2.8e-17 more. */
    double grid[2] = {0.5, 0.05};
    int told[NODES] = {0};
#define CHECK(f, same) \
    { \
        double g[3] = {0}; \
        __backsweep_gradient_void((void *)f, x, g, bs_const, grid, bs_const, told, NODES); \
        bad |= check(#f, same, g, grid, told, NODES); \
        double halves[3] = {0}; \
        struct kept kept = __backsweep_augmented_kept((void *)f, x, halves, bs_const, grid, bs_const, told, NODES); \
        __backsweep_reverse_void((void *)f, x, halves, bs_const, grid, bs_const, told, NODES, 1.0, kept.tape); \
        bad |= check(#f " in halves", same, halves, grid, told, NODES); \
    }
    CHECK(binned, binned_as_told);
    CHECK(ramp, ramp_as_told);
    CHECK(exercised, exercised);
    return bad;
}
