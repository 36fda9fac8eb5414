/* Checks the derivatives of one program: reverse against forward mode, and both against differences.
 *
 * check KIND X…: KIND says how exact the program's arithmetic is, the numbers are the point.
 *
 * The program defines `primal`, `gradient` (adds into dx) and `tangent` in any language. This file is compiled without
 * the plugin, so whatever it compares was computed by calling the program, and by nothing else. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double primal(const double *x, int n);
void gradient(const double *x, double *dx, int n);
double tangent(const double *x, const double *dx, int n);

enum { MOST = 64, DIRECTIONS = 3 };

struct tolerance {
    const char *kind;
    double modes, differences, step;
};

/* Modes differ by the order of additions, differences by the step: the error of the rule grows with h⁶, that of the
 * subtraction falls with h. */
static const struct tolerance TABLE[] = {
    {"double", 1e-10, 1e-7, 3e-3},
    /* Sums of many terms that cancel, or solves. */
    {"conditioned", 1e-8, 1e-6, 1e-3},
    {"float", 1e-4, 1e-2, 5e-2},
    /* Single precision in places, near jumps. */
    {"mixed", 1e-6, 1e-3, 1e-3},
    /* Three digits, and steps that are seen in them. */
    {"half", 5e-3, 1e-1, 1e-1},
};

static const struct tolerance *find_tolerance(const char *kind)
{
    for (size_t i = 0; i < sizeof TABLE / sizeof *TABLE; i++)
        if (strcmp(TABLE[i].kind, kind) == 0)
            return &TABLE[i];
    fprintf(stderr, "unknown kind %s\n", kind);
    exit(2);
}

static double value_at(const double *x, const double *v, double step, int n)
{
    double moved[MOST];
    for (int i = 0; i < n; i++)
        moved[i] = x[i] + step * v[i];
    return primal(moved, n);
}

/* The central difference over seven points. */
static double difference(const double *x, const double *v, double h, int n)
{
    static const double WEIGHTS[] = {0.75, -0.15, 1.0 / 60};
    double sum = 0;
    for (int k = 1; k <= 3; k++)
        sum += WEIGHTS[k - 1] * (value_at(x, v, k * h, n) - value_at(x, v, -k * h, n));
    return sum / h;
}

static int differs(const char *what, double found, double expected, double scale, double tolerance)
{
    /* Written so that a NaN differs too. */
    if (fabs(found - expected) <= tolerance * fmax(scale, 1))
        return 0;
    printf("%s: %.17g, expected %.17g\n", what, found, expected);
    return 1;
}

int main(int argc, char **argv)
{
    if (argc < 3 || argc - 2 > MOST)
        return 2;
    const struct tolerance *tolerance = find_tolerance(argv[1]);
    int n = argc - 2, failures = 0;
    double x[MOST], kept[MOST], g[MOST];
    for (int i = 0; i < n; i++) {
        kept[i] = x[i] = atof(argv[i + 2]);
        /* Gradients are added to what is there. */
        g[i] = 0.5;
    }
    double value = primal(x, n);
    gradient(x, g, n);
    double size = 0;
    for (int i = 0; i < n; i++) {
        g[i] -= 0.5;
        size += fabs(g[i]);
        failures += differs("an argument after the gradient", x[i], kept[i], 0, 0);
    }
    failures += differs("the value after the gradient", primal(x, n), value, 0, 0);
    if (size == 0)
        failures += printf("the gradient is zero, so nothing was checked\n") > 0;
    srand(20);
    for (int k = 0; k < n + DIRECTIONS; k++) {
        double v[MOST], along = 0, scale = 0;
        for (int i = 0; i < n; i++) {
            v[i] = k < n ? i == k : (double)rand() / RAND_MAX - 0.5;
            along += g[i] * v[i];
            scale += fabs(g[i] * v[i]);
        }
        double forward = tangent(x, v, n);
        failures += differs("reverse, by forward mode", along, forward, scale, tolerance->modes);
        double expected = difference(x, v, tolerance->step, n);
        failures += differs("reverse, by differences", along, expected, scale + fabs(value), tolerance->differences);
        failures += differs("forward mode, by differences", forward, expected, scale + fabs(value), tolerance->differences);
    }
    return failures != 0;
}
