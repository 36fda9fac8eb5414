/* How a harness hands its numbers to the driver: one a line, in a file named by the first argument. */
#include <stdio.h>
#include <stdlib.h>

static FILE *report;

void backsweep_driver_open(char **arguments)
{
    report = fopen(arguments[1], "w");
    if (report == NULL) {
        perror(arguments[1]);
        exit(1);
    }
}

void backsweep_driver_report(double value)
{
    /* 17 digits give every double back exactly. */
    fprintf(report, "%.17g\n", value);
}

void backsweep_driver_close(void)
{
    if (fclose(report) != 0) {
        perror("report");
        exit(1);
    }
}
