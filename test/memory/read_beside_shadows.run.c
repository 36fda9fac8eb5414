/* What is read through a pointer that leads to memory with a shadow, or to memory that nobody follows: a length, or an address that is
 * only compared, needs no shadow to be read; an address that may be that of numbers does, wherever it is read. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 -lm %runtime && %t.O0
// RUN: %clang -O2 %pass %include %s -o %t.O2 -lm %runtime && %t.O2
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

struct counted {
    long length;
    double value;
};

void lengths(struct counted *own, struct counted **others, double *y, int k)
{
    struct counted *which = k ? own : *others;
    *y = own->value * own->value * which->length;
}

static double left[2], right[2];
static double *const sides[2] = {left, right};

/* Which of the tables the side is read from decides nothing but what is compared. */
void compared(const double *x, double *const **others, double *y, int k)
{
    left[0] = x[0] * x[1];
    right[0] = x[1] * x[1];
    double *const *table = k & 1 ? sides : *others;
    double *side = table[k >> 1 & 1];
    *y = (side == left ? 2.0 : 3.0) * sides[k >> 1 & 1][0];
}

/* Here it is read through. */
void read(const double *x, double *const **others, double *y, int k)
{
    left[0] = x[0] * x[1];
    right[0] = x[1] * x[1];
    double *const *table = k & 1 ? sides : *others;
    *y = 2 * table[k >> 1 & 1][0] + sides[k >> 1 & 1][0];
}

static int bad;

static void expect(const char *what, double got, double wanted)
{
    if (fabs(got - wanted) <= 5e-13 * fmax(1, fabs(wanted)))
        return;
    printf("%s: %g, not %g\n", what, got, wanted);
    bad = 1;
}

int main(void)
{
    for (int k = 0; k < 2; k++) {
        struct counted own = {3, 2}, d_own = {3, 0}, other = {5, 7}, d_other = {5, 0}, *at = &other, *d_at = &d_other;
        double y, dy = 1;
        __backsweep_gradient((void *)lengths, bs_dup, &own, &d_own, bs_dup, &at, &d_at, bs_dup, &y, &dy, k);
        expect("length", d_own.value, 2 * own.value * (k ? 3 : 5));
        expect("other", d_other.value, 0);
        double forward = 0;
        d_own.value = 1;
        __backsweep_tangent((void *)lengths, bs_dup, &own, &d_own, bs_dup, &at, &d_at, bs_dup, &y, &forward, k);
        expect("tangent of length", forward, 2 * own.value * (k ? 3 : 5));
    }
    for (int k = 0; k < 4; k++) {
        double x[2] = {0.7, 1.3}, dx[2] = {0, 0}, a[2] = {1, 2}, b[2] = {3, 4}, da[2] = {0, 0}, db[2] = {0, 0}, y, dy = 1;
        double *table[2] = {a, b}, *d_table[2] = {da, db}, *const *at = table, *const *d_at = d_table;
        int chosen = k >> 1;
        double scale = k == 1 ? 2 : 3;
        __backsweep_gradient((void *)compared, bs_dup, x, dx, bs_dup, &at, &d_at, bs_dup, &y, &dy, k);
        expect("compared 0", dx[0], chosen ? 0 : scale * x[1]);
        expect("compared 1", dx[1], scale * (chosen ? 2 * x[1] : x[0]));
        dx[0] = dx[1] = 0, dy = 1;
        __backsweep_gradient((void *)read, bs_dup, x, dx, bs_dup, &at, &d_at, bs_dup, &y, &dy, k);
        scale = k & 1 ? 3 : 1;
        expect("read 0", dx[0], chosen ? 0 : scale * x[1]);
        expect("read 1", dx[1], scale * (chosen ? 2 * x[1] : x[0]));
        expect("found", chosen ? db[0] : da[0], k & 1 ? 0 : 2);
    }
    return bad;
}
