/* A place in a table that is computed from numbers that are still there is computed again, not recorded. */
// RUN: %clang -O1 -Xclang -disable-llvm-passes -g %include -S -emit-llvm %s -o %t.ll
// RUN: %opt -passes='print<backsweep-plan>' -disable-output %t.ll 2> %t.plan
// RUN: FileCheck %s < %t.plan
// RUN: %clang -O0 %pass %include %s -o %t.O0 %runtime -lm && %t.O0
// RUN: %clang -O3 %pass %include %s -o %t.O3 %runtime -lm && %t.O3
#include <math.h>
#include <stdio.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define TABLE 32
#define PLACES 200

// CHECK-LABEL: plan gradient backsweep.primal.interpolate
// CHECK-NOT: records
// CHECK: left out of the forward sweep, cast
// CHECK-NOT: records
// CHECK-LABEL: plan gradient backsweep.primal.moving
// CHECK: records
static double interpolate(const double *restrict table, const double *restrict places)
{
    double sum = 0;
    for (int p = 0; p < PLACES; p++) {
        unsigned i = (unsigned)places[p];
        double t = places[p] - i, value = (1 - t) * table[i] + t * table[i + 1];
        sum += value * value;
    }
    return sum;
}

/* The numbers are overwritten, so something of them has to be kept. */
static double moving(const double *restrict table, double *restrict places)
{
    double sum = 0;
    for (int p = 1; p < PLACES; p++) {
        int i = (int)places[p];
        double t = places[p] - i, value = (1 - t) * table[i] + t * table[i + 1];
        sum += value * value;
        places[p] = fmod(places[p] + value, TABLE - 2);
    }
    return sum;
}

/* The derivative by one input, by differences. */
static int differs(const char *name, double found, double up, double down, double h)
{
    const double expected = (up - down) / (2 * h);
    if (fabs(found - expected) <= 1e-5 * fmax(1, fabs(expected)))
        return 0;
    printf("%s: %.12g, by differences %.12g\n", name, found, expected);
    return 1;
}

static double table[TABLE], places[PLACES], dtable[TABLE], dplaces[PLACES];

static void set_up(void)
{
    for (int i = 0; i < TABLE; i++)
        table[i] = sin(0.3 * i), dtable[i] = 0;
    for (int p = 0; p < PLACES; p++)
        places[p] = (p * 7) % (TABLE - 2) + 0.5 + 0.3 * sin(p), dplaces[p] = 0;
}

static double value_of_moving(int input, double h)
{
    set_up();
    *(input < TABLE ? &table[input] : &places[input - TABLE]) += h;
    return moving(table, places);
}

int main(void)
{
    struct bs_tape_stats before, after;
    const double h = 1e-6;
    set_up();
    bs_tape_stats(NULL, &before);
    __backsweep_gradient((void *)interpolate, table, dtable, places, dplaces);
    bs_tape_stats(NULL, &after);
    if (after.total != before.total) {
        printf("%zu bytes of tape\n", after.total - before.total);
        return 1;
    }
    for (int p = 0; p < PLACES; p++) {
        const double at = places[p];
        places[p] = at + h;
        double up = interpolate(table, places);
        places[p] = at - h;
        if (differs("place", dplaces[p], up, interpolate(table, places), h))
            return 1;
        places[p] = at;
    }
    set_up();
    __backsweep_gradient((void *)moving, table, dtable, places, dplaces);
    const double found = dtable[3], first = dplaces[0];
    return differs("entry 3", found, value_of_moving(3, h), value_of_moving(3, -h), h) ||
           differs("first place", first, value_of_moving(TABLE, h), value_of_moving(TABLE, -h), h);
}
