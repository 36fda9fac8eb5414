/* `backsweep grad` as it runs: value, gradient, times and tape, one number a line in a file named by the first argument. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "backsweep_rt.h"
#include "program.h"

/* A single run of something short says nothing, and a long one needs no second. */
#define ENOUGH_SECONDS 0.1
#define MOST_RUNS 10001

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

static void run_nothing(void) {}

/* The median over as many runs as are enough. */
static double median_seconds(void (*run)(void))
{
    static double seconds[MOST_RUNS];
    int runs = 0;
    double total = 0;
    while (runs < MOST_RUNS && (runs < 3 || total < ENOUGH_SECONDS)) {
        const double start = now();
        run();
        seconds[runs] = now() - start;
        total += seconds[runs++];
        if (runs == 1 && total > ENOUGH_SECONDS)
            break;
    }
    qsort(seconds, (size_t)runs, sizeof seconds[0], compare);
    return seconds[runs / 2];
}

int main(int count, char **arguments)
{
    struct bs_tape_stats tape;
    double clock_seconds, value_seconds, gradient_seconds;
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
    clock_seconds = median_seconds(run_nothing);
    value_seconds = median_seconds(run_value) - clock_seconds;
    gradient_seconds = median_seconds(backsweep_driver_gradient) - clock_seconds;
    /* The clock's own steps may leave less than nothing of something very short. */
    fprintf(report, "%.17g\n%.17g\n%zu\n", value_seconds > 0 ? value_seconds : 0, gradient_seconds > 0 ? gradient_seconds : 0,
            tape.peak);
    if (fclose(report) != 0) {
        perror("the report");
        return 1;
    }
    return 0;
}
