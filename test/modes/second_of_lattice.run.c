/* Products of a Hessian and a vector of a flow on a lattice. Which of two arrays is the newer one is an index into an array of pointers, beside
   which lies the address of flags: it stays in its array in the gradient, too. Whether a cell is solid goes on the tape, and is no
   float's bits. */
// DEFINE: %{flags} =
// DEFINE: %{check} = %clang %{flags} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{flags} = -O0
// RUN: %{check}
// REDEFINE: %{flags} = -O2 -g
// RUN: %{check}
// REDEFINE: %{flags} = -O3 -ffast-math
// RUN: %{check}
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

enum { N = 4, NX = 5, NY = 4, Q = 5, STEPS = 6 };

static const int cx[Q] = {0, 1, 0, -1, 0}, cy[Q] = {0, 0, 1, 0, -1}, back[Q] = {0, 3, 4, 1, 2};

struct lattice {
    int nx, ny;
    double *cells[2];
    int newer;
    bool *solid;
    double relaxation;
};

static double *at(const struct lattice *l, double *cells, int x, int y)
{
    return cells + ((y + l->ny) % l->ny * l->nx + (x + l->nx) % l->nx) * Q;
}

static double density(const double *cell)
{
    double sum = 0;
    for (int q = 0; q < Q; q++)
        sum += cell[q];
    return sum;
}

static void step(struct lattice *l)
{
    double *next = l->cells[1 - l->newer];
    for (int y = 0; y < l->ny; y++)
        for (int x = 0; x < l->nx; x++) {
            const double *cell = at(l, l->cells[l->newer], x, y);
            if (l->solid[y * l->nx + x]) {
                for (int q = 0; q < Q; q++)
                    at(l, next, x + cx[back[q]], y + cy[back[q]])[back[q]] = cell[q];
                continue;
            }
            double rho = density(cell);
            for (int q = 0; q < Q; q++)
                at(l, next, x + cx[q], y + cy[q])[q] = cell[q] - (cell[q] - rho * rho / Q) * l->relaxation;
        }
    l->newer ^= 1;
}

static double flow(const double *x, int n)
{
    struct lattice *l = calloc(1, sizeof *l);
    l->nx = NX;
    l->ny = NY;
    l->relaxation = 0.5 + 0.2 * x[0] * x[0];
    for (int k = 0; k < 2; k++)
        l->cells[k] = malloc(NX * NY * Q * sizeof(double));
    l->solid = calloc(NX * NY, sizeof(bool));
    for (int y = 0; y < NY; y++)
        l->solid[y * NX + 2] = y > 1;
    for (int i = 0; i < NX * NY * Q; i++)
        l->cells[0][i] = 0.2 + 0.05 * sin(x[i % n] * (i + 1));
    memcpy(l->cells[1], l->cells[0], NX * NY * Q * sizeof(double));
    double seen = 0;
    for (int t = 0; t < STEPS; t++) {
        step(l);
        seen += density(at(l, l->cells[l->newer], 3, 1)) * (t + 1);
    }
    for (int k = 0; k < 2; k++)
        free(l->cells[k]);
    free(l->solid);
    free(l);
    return seen;
}

static void gradient(const double *x, double *dx, int n) { __backsweep_gradient_void((void *)flow, x, dx, n); }

int main(void)
{
    double x[N] = {0.3, 0.7, -0.4, 0.9}, v[N] = {0.5, -1, 0.8, 0.3}, g[N] = {0}, hv[N] = {0};
    __backsweep_tangent_void((void *)gradient, bs_dup, x, v, bs_dup, g, hv, N);
    const double h = 1e-4;
    for (int i = 0; i < N; i++) {
        double difference = 0, weights[] = {0.75, -0.15, 1.0 / 60};
        for (int k = 1; k <= 3; k++)
            for (int side = -1; side <= 1; side += 2) {
                double y[N], dy[N] = {0};
                for (int j = 0; j < N; j++)
                    y[j] = x[j] + side * k * h * v[j];
                gradient(y, dy, N);
                difference += side * weights[k - 1] * dy[i] / h;
            }
        if (!(fabs(hv[i] - difference) < 1e-8 * (1 + fabs(difference)))) {
            printf("component %d is %.12g, expected %.12g\n", i, hv[i], difference);
            return 1;
        }
    }
    return 0;
}
