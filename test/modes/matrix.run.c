/* Every mode, with and without seed and primal return, at widths 1 to 4, for each kind of float: against the analytic
 * derivative of f(x, y) = x² y + sin(x) with a branch and a loop around it. */
// DEFINE: %{flags} =
// DEFINE: %{check} = %clang %{flags} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{flags} = -O0
// RUN: %{check}
// REDEFINE: %{flags} = -O2
// RUN: %{check}

#include "backsweep.h"
#include <math.h>
#include <stdio.h>

static int failures;

static void expect(const char *kind, int line, long double found, long double expected, long double tolerance)
{
    if (fabsl(found - expected) <= tolerance * fmaxl(1, fabsl(expected)))
        return;
    printf("%s, line %d: found %.20Lg, expected %.20Lg\n", kind, line, found, expected);
    failures++;
}

#define KIND float
#define SINE sinf
#define COSINE cosf
#include "Inputs/matrix.h"
#undef KIND
#undef SINE
#undef COSINE

#define KIND double
#define SINE sin
#define COSINE cos
#include "Inputs/matrix.h"
#undef KIND
#undef SINE
#undef COSINE

typedef long double extended;
#define KIND extended
#define SINE sinl
#define COSINE cosl
#include "Inputs/matrix.h"

int main(void)
{
    check_float();
    check_double();
    check_extended();
    return failures != 0;
}
