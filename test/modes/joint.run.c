/* Calls that run twice, in all modes: several directions, split mode with a tape that is used twice, memory that changes between the
 * halves, and second derivatives, where nothing runs twice. */
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && env BACKSWEEP_TAPE_CHECK=1 %t.O0
// RUN: %clang -O2 -g -fsanitize=address %pass %include %s -o %t.O2 %runtime -lm && %t.O2
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "backsweep.h"

#define CELLS 40
#define STEPS 9

__attribute__((annotate("backsweep_joint"))) static double step(double *u, const double *k, int n, double dt)
{
    double sum = 0;
    for (int i = 1; i < n - 1; i++) {
        u[i] += dt * k[i] * u[i] * (u[i + 1] - u[i - 1]);
        sum += u[i] * u[i];
    }
    return sum;
}

static double model(double *u, const double *k, double dt)
{
    double sum = 0;
    for (int t = 0; t < STEPS; t++)
        sum += step(u, k, CELLS, dt + 0.01 * t);
    return sum;
}

struct two {
    double first, second;
};
struct kept {
    void *tape;
    double value;
};
struct two __backsweep_gradient_two(void *, ...);
struct kept __backsweep_augmented_kept(void *, ...);

static double u[CELLS], k[CELLS], wrong;

static void start(void)
{
    for (int i = 0; i < CELLS; i++) {
        u[i] = 0.5 * sin(0.3 * i);
        k[i] = 0.3 + 0.1 * cos(i);
    }
}

static void compare(const double *found, const double *expected, double factor)
{
    for (int i = 0; i < CELLS; i++)
        wrong = fmax(wrong, fabs(found[i] - factor * expected[i]));
}

static void gradient(double *at, double *dat, double *by, double *dby)
{
    __backsweep_gradient_void((void *)model, at, dat, by, dby, bs_const, 0.05);
}

int main(void)
{
    double du[CELLS] = {0}, dk[CELLS] = {0};
    start();
    const double dt = __backsweep_gradient((void *)model, u, du, k, dk, 0.05);

    double a[CELLS] = {0}, b[CELLS] = {0}, c[CELLS] = {0}, d[CELLS] = {0};
    start();
    const struct two both =
        __backsweep_gradient_two((void *)model, bs_width, 2, u, a, b, k, c, d, 0.05, bs_seed, 1.0, 2.0);
    wrong = fmax(wrong, fabs(both.first - dt) + fabs(both.second - 2 * dt));
    compare(a, du, 1);
    compare(b, du, 2);
    compare(c, dk, 1);
    compare(d, dk, 2);

    memset(a, 0, sizeof a);
    memset(c, 0, sizeof c);
    start();
    const struct kept half = __backsweep_augmented_kept((void *)model, u, a, k, c, 0.05);
    for (int i = 0; i < CELLS; i++)
        u[i] = k[i] = 7;
    double again = __backsweep_reverse((void *)model, bs_nofree, u, a, k, c, 0.05, 1.0, half.tape);
    wrong = fmax(wrong, fabs(again - dt));
    compare(a, du, 1);
    memset(a, 0, sizeof a);
    again = __backsweep_reverse((void *)model, u, a, k, c, 0.05, 2.0, half.tape);
    wrong = fmax(wrong, fabs(again - 2 * dt));
    compare(a, du, 2);
    compare(c, dk, 3);
    for (int i = 0; i < CELLS; i++)
        wrong = fmax(wrong, fabs(u[i] - 7) + fabs(k[i] - 7));

    double v[CELLS], nothing[CELLS] = {0}, g[CELLS] = {0}, hv[CELLS] = {0}, unused[2][CELLS] = {{0}};
    start();
    for (int i = 0; i < CELLS; i++)
        v[i] = cos(i);
    __backsweep_tangent_void((void *)gradient, u, v, g, hv, k, nothing, unused[0], unused[1]);
    compare(g, du, 1);
    double sides[2][CELLS] = {{0}};
    for (int side = 0; side < 2; side++) {
        start();
        for (int i = 0; i < CELLS; i++)
            u[i] += (side ? 1e-6 : -1e-6) * cos(i);
        gradient(u, sides[side], k, unused[0]);
    }
    for (int i = 0; i < CELLS; i++)
        wrong = fmax(wrong, 1e-4 * fabs(hv[i] - (sides[1][i] - sides[0][i]) / 2e-6));
    if (!(wrong < 1e-9))
        printf("off by %g\n", wrong);
    return !(wrong < 1e-9);
}
