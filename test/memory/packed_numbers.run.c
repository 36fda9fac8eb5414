/* A number that is packed behind a letter lies where no number can start. The derivative of what is copied there by a length that is known
   only when the program runs would be lost, and the program ends. Nothing is said where none is used. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime -lm && %t 8 && %not %t 9 2>&1 | %filecheck %s
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2
// RUN: %{check}
// CHECK: a copy of active memory moved part of a number, or one to where none can start{{.*}} [BS212]
#include "backsweep.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double f(double x, long at, long bytes) {
    double **message = malloc(64), *number = malloc(8), *found = malloc(8);
    *number = sin(x);
    message[0] = number;
    memcpy((char *)message + at, number, bytes);
    memcpy(found, (char *)message + at, bytes);
    double y = *found * *message[0];
    free(message);
    free(number);
    free(found);
    return y;
}

int main(int argc, char **argv) {
    long at = argc > 1 ? strtol(argv[1], 0, 10) : 8;
    double d = __backsweep_gradient((void *)f, 0.3, at, 8L), expected = 2 * sin(0.3) * cos(0.3);
    if (!(fabs(d - expected) < 1e-14))
        return printf("%.17g instead of %.17g\n", d, expected);
    return 0;
}
