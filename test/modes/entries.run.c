/* Blocks that control enters again without passing the branch above them: that branch tells the first entry only.
 * Reverse mode against forward mode, which needs no way back, and against central differences. */
// DEFINE: %{flags} =
// DEFINE: %{check} = %clang %{flags} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{flags} = -O0
// RUN: %{check}
// REDEFINE: %{flags} = -O2
// RUN: %{check}
// RUN: env BACKSWEEP_OPTIONS=disable=reevaluate %clang -O1 %include %pass %s -o %t %runtime && %t

#include "backsweep.h"
#include <math.h>
#include <stdio.h>

/* Entered at the top or in the middle. */
static double two_entries(double x)
{
    int i = 0;
    double s = x;
    if (x > 2)
        goto middle;
top:
    s = s * s * 0.3;
middle:
    i++;
    s = s * 1.5 + sin(s);
    if (i < 4)
        goto top;
    return s;
}

/* The header has one edge from a branch and two from inside. */
static double two_latches(double x)
{
    int i = 0;
    double s = x;
    if (x > 0) {
    again:
        s = s * s * 0.1 + x;
        i++;
        if (i % 3 == 1) {
            s = sin(s);
            goto again;
        }
        if (i < 7) {
            s = s * 0.2;
            goto again;
        }
    }
    return s * x;
}

/* A switch that jumps into the arms of itself. */
static double by_cases(double x)
{
    int state = (int)x % 3;
    double s = x;
    for (int step = 0; step < 6;) {
        switch (state) {
        case 0:
            s = s * x * 0.5;
        again:
            step++;
            state = step % 4 == 0 ? 2 : 1;
            break;
        case 1:
            s = cos(s) + x;
            if (step == 2) {
                s = s * s;
                goto again;
            }
            step++;
            state = step > 3 ? 2 : 0;
            break;
        default:
            s = s + s * s * 0.1;
            goto again;
        }
    }
    return s;
}

static int failures;

static void check(const char *name, double x, double reverse, double forward, double quotient)
{
    int good = fabs(reverse - forward) <= 5e-13 * fmax(1.0, fabs(forward))
               && fabs(forward - quotient) <= 1e-6 * fmax(1.0, fabs(forward));
    if (!good) {
        printf("%s at %g: reverse %.17g, forward %.17g, quotient %.17g\n", name, x, reverse, forward, quotient);
        failures++;
    }
}
#define CHECK(f)                                                                                                   \
    do {                                                                                                           \
        double quotient = (f(x + 1e-6) - f(x - 1e-6)) / 2e-6;                                                      \
        check(#f, x, __backsweep_gradient((void *)f, x), __backsweep_tangent((void *)f, x, 1.0), quotient);        \
        void *tape = __backsweep_augmented((void *)f, x);                                                          \
        double split = __backsweep_reverse((void *)f, x, 1.0, tape);                                              \
        check(#f " split", x, split, __backsweep_tangent((void *)f, x, 1.0), quotient);                 \
    } while (0)

int main(void)
{
    const double points[] = {-1.3, 0.4, 1.3, 2.5, 3.7};
    for (int i = 0; i < 5; i++) {
        volatile double point = points[i];
        double x = point;
        CHECK(two_entries);
        CHECK(two_latches);
        CHECK(by_cases);
    }
    return failures != 0;
}
