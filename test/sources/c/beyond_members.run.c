/* Who steps from one array of a struct into the next, as many programs do with six numbers of a force and its moment: the struct stays
 * in one piece, and the gradient is of what runs. */
// RUN: %levels %s double 0.9 1.1 0.7 1.3 0.4 0.6 0.8
#include "source.h"

struct wrench {
    double force[3];
    double moment[3];
};

struct tagged {
    int counts[4];
    double weight;
    double parts[2];
    double rest[3];
};

static double spread(const double *x, int n)
{
    struct wrench w = {{0, 0, 0}, {0, 0, 0}};
    double *all = w.force, sum = 0;
    for (int i = 0; i < n; i++)
        all[i % 6] += x[i] * x[(i + 1) % n];
    for (int i = 0; i < 3; i++)
        sum += w.force[i] * w.moment[(i + 1) % 3];
    return sum;
}

static double tagged(const double *x, int n)
{
    struct tagged t;
    double *from = t.parts, sum = 0;
    for (int i = 0; i < 5; i++)
        from[i] = 0.1 * (i + 1);
    t.weight = x[0];
    for (int i = 0; i < 4; i++)
        t.counts[i] = i + 1;
    for (int i = 0; i < n; i++) {
        from[i % 5] = from[i % 5] * 0.5 + x[i] * t.counts[2];
        sum += t.rest[i % 3] * t.parts[i % 2] * t.weight;
    }
    return sum;
}

static double f(const double *x, int n) { return spread(x, n) + tagged(x, n); }

REQUESTS(f)
