/* Programs print, measure time, check and count while they compute. */
// RUN: %levels %s double 0.8 1.3 -0.4 2.1
#include "source.h"
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double f(const double *x, int n)
{
    clock_t start = clock();
    struct timespec now;
    char text[64];
    double sum = 0;
    clock_gettime(CLOCK_MONOTONIC, &now);
    FILE *log = fopen("/dev/null", "w");
    for (int i = 0; i < n; i++) {
        assert(x[i] < 100);
        sum += x[i] * exp(-x[i]);
        snprintf(text, sizeof text, "%d: %g", i, sum);
        if (log)
            fprintf(log, "%s %zu\n", text, strlen(text));
    }
    if (log)
        fclose(log);
    errno = 0;
    double root = sqrt(sum * sum + 1);
    if (errno)
        perror("sqrt");
    if (clock() < start || getenv("NO_SUCH_NAME"))
        printf("%f\n", root);
    if (!isfinite(root))
        abort();
    return root + sum;
}

REQUESTS(f)
