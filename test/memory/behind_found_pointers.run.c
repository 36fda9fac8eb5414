/* What a called function finds behind pointers that were found in an array of pointers has shadows, though nobody here touches it. */
// RUN: %clang -O0 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O2 %include %pass %s -o %t %runtime && %t
// RUN: %clang -O1 -g -fsanitize=address %include %pass %s -o %t %runtime && %t
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

struct place {
    double *out;
    long k;
};
static void put(struct place *p, double v, int n)
{
    if (n == 0)
        *p->out = v;
    else
        put(p, v * v, n - 1);
}
static double stored(double x, int k)
{
    double one = 0, two = 0;
    struct place p = {&one, 1}, q = {&two, 2};
    struct place *all[2] = {&p, &q};
    put(all[k], x, 2);
    return one + 2 * two;
}
int main(void)
{
    int failures = 0;
    double x = 1.1, slope = 4 * x * x * x;
    for (int k = 0; k < 2; k++) {
        double wanted = (k + 1) * slope;
        double got[] = {__backsweep_gradient((void *)stored, x, k), __backsweep_tangent((void *)stored, x, 1.0, k)};
        for (int i = 0; i < 2; i++)
            if (!(fabs(got[i] - wanted) <= 1e-12 * wanted))
                printf("%d %d: %g instead of %g\n", k, i, got[i], wanted), failures++;
    }
    return failures;
}
