/* Code out of sight is shown memory that holds pointers to active memory, and leaves them as they are. */
// RUN: %clang -O2 -c -DOUT_OF_SIGHT %s -o %t.other.o
// RUN: for level in -O0 -O1 -O2 -O3; do %clang $level %include %pass %s %t.other.o -o %t %runtime -lm && %t || exit 1; done
#include <math.h>
#include <stdio.h>

struct grid {
    double *values;
    int n;
};

#ifdef OUT_OF_SIGHT

int count_cells(const struct grid *grid) { return grid->values ? grid->n : 0; }

#else

#include "backsweep.h"

__attribute__((annotate("backsweep_inactive"))) int count_cells(const struct grid *grid);

static double energy(const double *x, double *cells, int n) {
    struct grid grid = {cells, n};
    for (int i = 0; i < n; i++)
        grid.values[i] = x[i] * x[i];
    int count = count_cells(&grid);
    double sum = 0;
    for (int i = 0; i < count; i++)
        sum += sin(grid.values[i]);
    return sum;
}

int main(void) {
    double x[3] = {0.5, 0.7, 1.1}, dx[3] = {0}, cells[3], dcells[3] = {0};
    __backsweep_gradient((void *)energy, bs_dup, x, dx, bs_dup, cells, dcells, bs_const, 3);
    for (int i = 0; i < 3; i++)
        if (fabs(dx[i] - 2 * x[i] * cos(x[i] * x[i])) > 1e-12) {
            printf("energy[%d]: %g\n", i, dx[i]);
            return 1;
        }
    return 0;
}

#endif
