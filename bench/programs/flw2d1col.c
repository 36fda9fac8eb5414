/* FLW2D1COL, the example of the literature on adjoints by source transformation: fluxes along the segments of an unstructured
 * mesh, added to the nodes at their ends. A weighted sum of what the nodes have got is the result. */
#include "../program.h"

#define NODES 20000
#define SEGMENTS 60000
#define INPUTS (4 * NODES + 2 * SEGMENTS)

static int ends[2 * SEGMENTS];

static void set_up(double *x)
{
    for (size_t i = 0; i < INPUTS; i++)
        x[i] = bench_number(i);
    for (int s = 0; s < SEGMENTS; s++) {
        ends[2 * s] = s % NODES;
        ends[2 * s + 1] = (s + 1 + s % 97) % NODES;
    }
}

static void fluxes(const int *restrict nubo, const double *restrict t3, const double *restrict pres,
                   const double *restrict g3, const double *restrict g4, const double *restrict vnocl,
                   double *restrict rh3, double *restrict rh4, double *restrict sq)
{
    for (int iseg = 0; iseg < SEGMENTS; iseg++) {
        int is1 = nubo[2 * iseg], is2 = nubo[2 * iseg + 1];
        double v = vnocl[2 * iseg + 1];
        double qsor = t3[is1] * v, qs = t3[is2] * v;
        double dplim = qsor * g4[is1] + qs * g4[is2];
        rh4[is1] += dplim;
        rh4[is2] -= dplim;
        double pm = pres[is1] + pres[is2];
        dplim = qsor * g3[is1] + qs * g3[is2] + pm * v;
        rh3[is1] += dplim;
        rh3[is2] -= dplim;
        *sq += pm * pm * sin(pm);
    }
}

static double weight(int node) { return 0.25 + (node & 7); }

static double primal(const double *restrict x, double *restrict work)
{
    double *rh3 = work, *rh4 = work + NODES, *sq = work + 2 * NODES, sum = 0;
    for (int k = 0; k < 2 * NODES + 1; k++)
        work[k] = 0;
    fluxes(ends, x, x + NODES, x + 2 * NODES, x + 3 * NODES, x + 4 * NODES, rh3, rh4, sq);
    for (int k = 0; k < NODES; k++)
        sum += weight(k) * (rh3[k] + 0.5 * rh4[k]);
    return sum + *sq;
}

static void by_hand(const double *restrict x, double *restrict dx, double *restrict work, double *restrict dwork)
{
    const double *t3 = x, *pres = x + NODES, *g3 = x + 2 * NODES, *g4 = x + 3 * NODES, *vnocl = x + 4 * NODES;
    double *dt3 = dx, *dpres = dx + NODES, *dg3 = dx + 2 * NODES, *dg4 = dx + 3 * NODES, *dvnocl = dx + 4 * NODES;
    double *drh3 = dwork, *drh4 = dwork + NODES;
    (void)work;
    for (int k = 0; k < NODES; k++) {
        drh3[k] += weight(k);
        drh4[k] += 0.5 * weight(k);
    }
    for (int iseg = 0; iseg < SEGMENTS; iseg++) {
        int is1 = ends[2 * iseg], is2 = ends[2 * iseg + 1];
        double v = vnocl[2 * iseg + 1], qsor = t3[is1] * v, qs = t3[is2] * v, pm = pres[is1] + pres[is2];
        double d3 = drh3[is1] - drh3[is2], d4 = drh4[is1] - drh4[is2];
        double dqsor = d4 * g4[is1] + d3 * g3[is1], dqs = d4 * g4[is2] + d3 * g3[is2];
        double dpm = 2 * pm * sin(pm) + pm * pm * cos(pm) + d3 * v;
        dpres[is1] += dpm;
        dpres[is2] += dpm;
        dg3[is1] += d3 * qsor;
        dg3[is2] += d3 * qs;
        dg4[is1] += d4 * qsor;
        dg4[is2] += d4 * qs;
        dt3[is1] += dqsor * v;
        dt3[is2] += dqs * v;
        dvnocl[2 * iseg + 1] += d3 * pm + dqsor * t3[is1] + dqs * t3[is2];
    }
    for (int k = 0; k < 2 * NODES; k++)
        dwork[k] = 0;
}

BENCH_PROGRAM(flw2d1col, INPUTS, 2 * NODES + 1)
