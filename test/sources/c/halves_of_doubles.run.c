// Doubles that travel as two words of 32 bits: in a message: through functions, through a slot, the lower first and the upper first.
// RUN: %levels %s conditioned 0.8 1.3 -0.4 2.1
#include "source.h"
#include <math.h>
#include <stdint.h>

typedef union
{
    double real;
    struct
    {
        uint32_t low, high;
    } half;
} cell;

static cell copy(const cell *from)
{
    cell made;
    made.half.low = from->half.low;
    made.half.high = from->half.high;
    return made;
}

static cell copy_backwards(const cell *from)
{
    cell made;
    made.half.high = from->half.high;
    made.half.low = from->half.low;
    return made;
}

static double f(const double *x, int n)
{
    cell cells[6];
    for (int i = 0; i < 6; i++)
        cells[i].real = x[i % n] * x[i % n] + 0.5 * i;
    double sum = 0;
    for (int i = 0; i < 6; i++) {
        cell here = copy(&cells[i]), next = copy_backwards(&cells[(i + 1) % 6]);
        sum += sin(here.real) * next.real;
        cells[(i + 2) % 6] = here;
        cell whole = {.half = {.low = cells[i].half.low, .high = cells[i].half.high}};
        cell again;
        again.half.high = cells[5 - i].half.high;
        again.half.low = cells[5 - i].half.low;
        sum += whole.real * again.real;
    }
    return sum;
}

REQUESTS(f)
