/* Every function of the C library that has a rule, in its float, double and long double spelling, called as users call
 * it: gradient and tangent through the plugin against central differences of the long double function. */
// DEFINE: %{flags} =
// DEFINE: %{check} = %clang %{flags} -D_GNU_SOURCE %include %pass %s -o %t %runtime && %t
// REDEFINE: %{flags} = -O0
// RUN: %{check}
// REDEFINE: %{flags} = -O2
// RUN: %{check}
// REDEFINE: %{flags} = -O1 -fno-math-errno
// RUN: %{check}

#include "backsweep.h"
#include <math.h>
#include <stdio.h>

static int failures;

static void compare(const char *name, const char *kind, int size, long double x, long double y, long double found,
                    long double expected)
{
    /* The step of the difference leaves about nine digits. */
    long double tolerance = size == 4 ? 3e-5L : 3e-9L;
    if (fabsl(found - expected) <= tolerance * fmaxl(1, fabsl(expected)))
        return;
    printf("%s in %s at (%Lg, %Lg): found %.17Lg, expected %.17Lg\n", name, kind, x, y, found, expected);
    failures++;
}

typedef long double extended;
#define STEP 1e-5L

#define KIND extended
#define SPELL(name) name##l
#define POWI __builtin_powil
/* clang 22 cannot generate code for `__builtin_elementwise_minimum` of long double. */
#define MINIMUM(x, y) ((x) < (y) ? (x) : (y))
#define MAXIMUM(x, y) ((x) > (y) ? (x) : (y))
#include "Inputs/library.h"
#undef KIND
#undef SPELL
#undef POWI
#undef MINIMUM
#undef MAXIMUM

#define MINIMUM(x, y) __builtin_elementwise_minimum(x, y)
#define MAXIMUM(x, y) __builtin_elementwise_maximum(x, y)
#define KIND double
#define SPELL(name) name
#define POWI __builtin_powi
#include "Inputs/library.h"
#undef KIND
#undef SPELL
#undef POWI

#define KIND float
#define SPELL(name) name##f
#define POWI __builtin_powif
#include "Inputs/library.h"

int main(void)
{
    check_extended();
    check_double();
    check_float();
    return failures != 0;
}
