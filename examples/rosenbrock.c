/* The gradient of a function of two scalars, three ways: reverse mode, forward mode, central differences. */
#include <math.h>
#include <stdio.h>

#include "backsweep.h"

struct gradient {
    double x, y;
};

/* A hook is matched inside the name, so a suffix declares it with another return type. */
struct gradient __backsweep_gradient_rosenbrock(void *function, ...);

double rosenbrock(double x, double y)
{
    double a = 1.0 - x;
    double b = y - x * x;
    return a * a + 100.0 * b * b;
}

static double difference(double x, double y, double dx, double dy)
{
    const double h = 1e-5;
    return (rosenbrock(x + h * dx, y + h * dy) - rosenbrock(x - h * dx, y - h * dy)) / (2.0 * h);
}

int main(void)
{
    double x = -1.2, y = 1.0;

    struct gradient reverse = __backsweep_gradient_rosenbrock((void *)rosenbrock, x, y);
    double forward_x = __backsweep_tangent((void *)rosenbrock, x, 1.0, y, 0.0);
    double forward_y = __backsweep_tangent((void *)rosenbrock, x, 0.0, y, 1.0);

    printf("rosenbrock(%g, %g) = %.12g\n\n", x, y, rosenbrock(x, y));
    printf("%-8s %16s %16s %20s\n", "", "reverse", "forward", "central difference");
    printf("%-8s %16.10f %16.10f %20.10f\n", "d/dx", reverse.x, forward_x, difference(x, y, 1.0, 0.0));
    printf("%-8s %16.10f %16.10f %20.10f\n", "d/dy", reverse.y, forward_y, difference(x, y, 0.0, 1.0));

    /* The exact gradient is (-215.6, -88); the exit status tells whether both modes found it. */
    return fabs(reverse.x + 215.6) < 1e-9 && fabs(reverse.y + 88.0) < 1e-9 &&
           fabs(forward_x + 215.6) < 1e-9 && fabs(forward_y + 88.0) < 1e-9 ? 0 : 1;
}
