/* Fluxes along the edges of an unstructured mesh, gathered in its nodes: indirect reads and indirect sums. */
#include "../program.h"

#define NODES 4096
#define EDGES 12288

static int from[EDGES], to[EDGES];
static double lengths[EDGES];

static void set_up(double *x)
{
    for (size_t i = 0; i < NODES; i++)
        x[i] = 1 + 0.5 * bench_number(i);
    for (size_t e = 0; e < EDGES; e++) {
        from[e] = (int)(e % NODES);
        to[e] = (int)((e * 2654435761u >> 7) % NODES);
        lengths[e] = 1 + 0.3 * bench_number(e);
    }
}

static double primal(const double *restrict x, double *restrict work)
{
    double sum = 0;
    for (int i = 0; i < NODES; i++)
        work[i] = 0;
    for (int e = 0; e < EDGES; e++) {
        double a = x[from[e]], b = x[to[e]], mean = 0.5 * (a + b);
        double flux = lengths[e] * (mean * mean * (a - b) + 0.1 * fabs(mean) * (a - b));
        work[from[e]] -= flux;
        work[to[e]] += flux;
    }
    for (int i = 0; i < NODES; i++)
        sum += 0.5 * work[i] * work[i];
    return sum;
}

static void by_hand(const double *x, double *dx, double *work, double *dwork)
{
    (void)dwork;
    primal(x, work);
    for (int e = 0; e < EDGES; e++) {
        double a = x[from[e]], b = x[to[e]], mean = 0.5 * (a + b), jump = a - b;
        double d = lengths[e] * (work[to[e]] - work[from[e]]);
        double by_mean = 0.5 * d * (2 * mean * jump + (mean < 0 ? -0.1 : 0.1) * jump);
        double by_jump = d * (mean * mean + 0.1 * fabs(mean));
        dx[from[e]] += by_mean + by_jump;
        dx[to[e]] += by_mean - by_jump;
    }
}

BENCH_PROGRAM(mesh_edges, NODES, NODES)
