/* Structs with several pointers to functions of one type, where what one member holds cannot take what another one is given: a model's
 * `flux` reads numbers and `report` reads a record that holds a pointer. What is copied from member to member, or kept in a struct that begins like
 * another, is found there.
 * RUN: %levels %s double 0.53 1.37 0.21 0.83 */
#include <math.h>
#include <stdlib.h>

#include "source.h"

struct record {
    const double *from;
    double *to;
};

struct model {
    void (*flux)(double *out, const void *in);
    void (*report)(double *out, const void *in);
    void (*spare)(double *out, const void *in);
};

static void upwind(double *out, const void *in)
{
    const double *u = in;
    *out += u[0] * sin(u[1]);
}

static void central(double *out, const void *in)
{
    const double *u = in;
    *out += (u[0] + u[1]) * u[0];
}

static void keep(double *out, const void *in)
{
    const struct record *record = in;
    *record->to += record->from[0] * record->from[1];
    *out *= 1.5;
}

static const struct model first = {upwind, keep, NULL};

/* Begins as a model does. */
struct larger {
    void (*flux)(double *out, const void *in);
    void (*report)(double *out, const void *in);
    void (*spare)(double *out, const void *in);
    double factor;
};

static void run(const struct model *model, const double *x, int n, double *sum, double *kept)
{
    for (int i = 0; i + 1 < n; i++) {
        struct record record = {x + i, kept};
        model->flux(sum, x + i);
        model->report(sum, &record);
        if (model->spare)
            model->spare(sum, x);
    }
}

static double f(const double *x, int n)
{
    double sum = 0, kept = 0;
    run(&first, x, n, &sum, &kept);
    struct model *second = malloc(sizeof *second);
    second->flux = central;
    second->report = first.report;
    second->spare = second->flux;
    run(second, x, n, &sum, &kept);
    free(second);
    struct larger *third = malloc(sizeof *third);
    third->flux = x[0] > 0 ? upwind : central;
    third->report = keep;
    third->spare = NULL;
    third->factor = x[2];
    run((const struct model *)third, x, n, &sum, &kept);
    sum *= third->factor;
    free(third);
    return sum * kept;
}

REQUESTS(f)
