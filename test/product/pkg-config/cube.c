#include "backsweep.h"

static double cube(double x)
{
    /* Of unknown length, so that the tape is linked. */
    double y = x;
    while (y < 100.0)
        y = y * x;
    return y;
}

int main(void)
{
    double slope = __backsweep_gradient((void *)cube, 2.0);
    return slope != 7 * 64.0;
}
