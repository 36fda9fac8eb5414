/* Water in pipes that is driven by a slope and held back by friction: in each step, for each pipe, Newton's method solves the equation of
 * Colebrook and White for the friction factor, whose gradient is two numbers, however many passes it takes. */
#include "../jacobian.h"

#define PIPES 256
#define STEPS 40
#define DT 0.05
#define WIDTH 0.1
#define SLOPE 0.4

static void set_up(double *x)
{
    for (size_t i = 0; i < PIPES; i++) {
        x[2 * i] = 1.0 + 0.3 * bench_number(i);
        x[2 * i + 1] = 1e-3 * (1.1 + bench_number(i + PIPES));
    }
}

/* 1 / sqrt(f) = -2 log10(roughness / 3.7 + 2.51 / (reynolds sqrt(f))), solved for s = 1 / sqrt(f). */
static double friction(double reynolds, double roughness)
{
    double s = 7;
    for (int i = 0; i < 30; i++) {
        double inner = roughness / 3.7 + 2.51 * s / reynolds;
        double change = (s + 0.868588963806504 * log(inner)) / (1 + 0.868588963806504 * 2.51 / (reynolds * inner));
        s -= change;
        if (fabs(change) < 1e-13)
            break;
    }
    return 1 / (s * s);
}

static double reynolds(double v) { return 1e5 * sqrt(v * v + 1e-6); }

static double slowed(double v, double roughness)
{
    double f = friction(reynolds(v), roughness);
    return v + DT * (SLOPE - f * v * fabs(v) / (2 * WIDTH));
}

static void element(const double *restrict x, double *restrict y)
{
    y[0] = slowed(x[0], x[1]);
}

static double number(const double *restrict x, double *restrict work)
{
    double sum = 0;
    for (int i = 0; i < PIPES; i++)
        work[i] = x[2 * i];
    for (int t = 0; t < STEPS; t++)
        for (int i = 0; i < PIPES; i++)
            work[i] = slowed(work[i], x[2 * i + 1]);
    for (int i = 0; i < PIPES; i++)
        sum += work[i] * work[i];
    return sum;
}

JACOBIAN_KERNEL(friction, PIPES, 2, 1, PIPES)
