/* Where was the heat at the start? A plate is measured after it has cooled; the cost of a guess runs the heat equation
 * forward from it, and the gradient of the cost, by a guess of 1024 numbers, costs a few runs. Conjugate gradients find
 * the start, which is written as a picture: heat-inversion [FILE.svg]. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backsweep.h"

#define SIDE 32
#define CELLS (SIDE * SIDE)
#define STEPS 12
#define RATE 0.2

/* One explicit step; the rim is kept at zero. */
static void diffuse(const double *from, double *to)
{
    for (int i = 0; i < SIDE; i++)
        for (int j = 0; j < SIDE; j++) {
            int c = i * SIDE + j;
            if (i == 0 || j == 0 || i == SIDE - 1 || j == SIDE - 1)
                to[c] = 0;
            else
                to[c] = from[c] + RATE * (from[c - 1] + from[c + 1] + from[c - SIDE] + from[c + SIDE] - 4 * from[c]);
        }
}

static void cool(const double *start, double *end)
{
    double now[CELLS], next[CELLS];
    memcpy(now, start, sizeof now);
    for (int step = 0; step < STEPS; step++) {
        diffuse(now, next);
        memcpy(now, next, sizeof now);
    }
    memcpy(end, now, sizeof now);
}

/* The squared distance from what was measured, and a little for roughness, without which noise would win. */
static double cost(const double *guess, const double *measured)
{
    double end[CELLS], sum = 0;
    cool(guess, end);
    for (int c = 0; c < CELLS; c++)
        sum += (end[c] - measured[c]) * (end[c] - measured[c]);
    for (int i = 0; i + 1 < SIDE; i++)
        for (int j = 0; j + 1 < SIDE; j++) {
            int c = i * SIDE + j;
            double right = guess[c + 1] - guess[c], down = guess[c + SIDE] - guess[c];
            sum += 1e-6 * (right * right + down * down);
        }
    return sum;
}

static double cost_and_gradient(const double *guess, double *gradient, const double *measured)
{
    memset(gradient, 0, CELLS * sizeof *gradient);
    return __backsweep_gradient((void *)cost, bs_primal_return, bs_dup, guess, gradient, bs_const, measured);
}

/* The cost is a quadratic form, so its gradient along a line is linear: two gradients give the best step. */
static double minimise(double *guess, const double *measured)
{
    static double gradient[CELLS], moved[CELLS], there[CELLS], direction[CELLS];
    double norm = 0, before = 0;
    for (int step = 0; step < 300; step++) {
        cost_and_gradient(guess, gradient, measured);
        norm = 0;
        for (int c = 0; c < CELLS; c++)
            norm += gradient[c] * gradient[c];
        double along = 0, curvature = 0;
        for (int c = 0; c < CELLS; c++) {
            direction[c] = -gradient[c] + (step ? norm / before * direction[c] : 0);
            moved[c] = guess[c] + direction[c];
            along += gradient[c] * direction[c];
        }
        cost_and_gradient(moved, there, measured);
        for (int c = 0; c < CELLS; c++)
            curvature += (there[c] - gradient[c]) * direction[c];
        for (int c = 0; c < CELLS; c++)
            guess[c] -= along / curvature * direction[c];
        before = norm;
    }
    return sqrt(norm);
}

static double worst_difference(double *guess, const double *measured)
{
    static double gradient[CELLS];
    double worst = 0, h = 1e-3;
    cost_and_gradient(guess, gradient, measured);
    for (int c = 0; c < CELLS; c += 37) {
        double at = guess[c], up, down;
        guess[c] = at + h;
        up = cost(guess, measured);
        guess[c] = at - h;
        down = cost(guess, measured);
        guess[c] = at;
        worst = fmax(worst, fabs(gradient[c] - (up - down) / (2 * h)));
    }
    return worst;
}

/* Three plates side by side: the true start, what was measured, what was recovered. */
static void draw(const char *path, const double *const plates[3])
{
    static const char *const titles[] = {"start", "measured", "recovered"};
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        perror(path);
        exit(1);
    }
    fprintf(file, "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" shape-rendering=\"crispEdges\">\n",
            3 * SIDE + 4, SIDE + 4);
    for (int p = 0; p < 3; p++) {
        fprintf(file, "<text x=\"%d\" y=\"3\" font-size=\"3\" font-family=\"sans-serif\">%s</text>\n", p * (SIDE + 2), titles[p]);
        for (int c = 0; c < CELLS; c++) {
            double heat = fmin(1, fmax(0, plates[p][c]));
            fprintf(file, "<rect x=\"%d\" y=\"%d\" width=\"1\" height=\"1\" fill=\"rgb(%d,%d,%d)\"/>\n", p * (SIDE + 2) + c % SIDE,
                    4 + c / SIDE, (int)(255 * heat), (int)(90 * heat), (int)(160 * (1 - heat)));
        }
    }
    fprintf(file, "</svg>\n");
    fclose(file);
}

int main(int count, char **arguments)
{
    static double start[CELLS], measured[CELLS], guess[CELLS];
    for (int i = 1; i < SIDE - 1; i++)
        for (int j = 1; j < SIDE - 1; j++) {
            double ring = hypot(i - 15.5, j - 15.5) - 9;
            start[i * SIDE + j] = exp(-ring * ring / 4) + (hypot(i - 15.5, j - 15.5) < 3 ? 0.8 : 0);
        }
    cool(start, measured);

    double difference = worst_difference(guess, measured);
    double norm = minimise(guess, measured), error = 0, size = 0;
    for (int c = 0; c < CELLS; c++) {
        error += (guess[c] - start[c]) * (guess[c] - start[c]);
        size += start[c] * start[c];
    }
    error = sqrt(error / size);
    printf("recovered to %.1f %%, gradient %.1e, central differences agree to %.1e\n", 100 * error, norm, difference);
    if (count > 1)
        draw(arguments[1], (const double *const[]){start, measured, guess});
    return !(error < 0.15 && difference < 1e-8);
}
