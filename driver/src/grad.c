/* `backsweep grad` as it runs: value, gradient, times and tape, one number a line in a file named by the first argument. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "backsweep_rt.h"
#include "program.h"

/* A single run of something short says nothing, and a long one needs no second. */
#define ENOUGH_SECONDS 0.1
/* Clocks move in steps, and those of some machines are longer than what is to be measured. */
#define LONG_SECONDS 1e-4
#define MOST_RUNS 1001

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static int compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void run_value(void)
{
    (void)backsweep_driver_value();
}

static double seconds_of(void (*run)(void), size_t times)
{
    const double start = now();
    for (size_t i = 0; i < times; i++)
        run();
    return now() - start;
}

/* The median over as many runs as are enough; what is short runs many times in each. */
static double median_seconds(void (*run)(void))
{
    static double seconds[MOST_RUNS];
    int runs = 0;
    size_t times = 1;
    double last = seconds_of(run, times), total = 0;
    if (last > ENOUGH_SECONDS)
        return last;
    while (last < LONG_SECONDS) {
        times *= 2;
        last = seconds_of(run, times);
    }
    while (runs < MOST_RUNS && (runs < 3 || total < ENOUGH_SECONDS)) {
        last = seconds_of(run, times);
        seconds[runs++] = last / (double)times;
        total += last;
    }
    qsort(seconds, (size_t)runs, sizeof seconds[0], compare);
    return seconds[runs / 2];
}

int main(int count, char **arguments)
{
    struct bs_tape_stats tape;
    FILE *report = count > 1 ? fopen(arguments[1], "w") : NULL;
    if (report == NULL) {
        perror("the report");
        return 1;
    }
    /* 17 digits give every double back exactly. */
    fprintf(report, "%.17g\n", backsweep_driver_value());
    backsweep_driver_gradient();
    for (size_t k = 0; k < backsweep_driver_input_count; k++) {
        const struct input *input = &backsweep_driver_inputs[k];
        for (size_t i = 0; i < input->count; i++)
            fprintf(report, "%.17g\n", read_number(input, input->shadow, i));
    }
    bs_tape_stats(NULL, &tape);

    silence_output();
    fprintf(report, "%.17g\n", median_seconds(run_value));
    fprintf(report, "%.17g\n", median_seconds(backsweep_driver_gradient));
    fprintf(report, "%zu\n", tape.peak);
    if (fclose(report) != 0) {
        perror("the report");
        return 1;
    }
    return 0;
}
