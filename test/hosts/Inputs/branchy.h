/* What the C and C++ host tests share: points, the analytic gradient, and the comparison.
 *
 * The function is written in each test, in the test's own language:
 *
 *     a = 1 - x;  b = y - x²;  v = a² + 100 b²
 *     b > 0:      v + sin(x y) / (1 + y²)
 *     otherwise:  v exp(-x/2) + (1.5 + y²)^x
 */
#ifdef __cplusplus
#include <cmath>
#else
#include <math.h>
#endif
#include <stdio.h>

#include "backsweep.h"

#define POINTS 5

/* volatile: a compiler that knew the points could compute the whole test by itself. Points on both
 * sides of the branch. */
static volatile double point_x[POINTS] = {-1.2, 0.5, 2.0, -0.75, 1.0 / 3.0};
static volatile double point_y[POINTS] = {1.0, 0.75, 0.25, 1.75, -0.6};

struct pair {
    double x, y;
};

#ifdef __cplusplus
extern "C" {
#endif
struct pair __backsweep_gradient_pair(void *, ...);
double __enzyme_fwddiff(void *, ...);
struct pair __enzyme_autodiff_pair(void *, ...);
extern int enzyme_out, enzyme_const;
#ifdef __cplusplus
}
#endif

static struct pair analytic_gradient(double x, double y)
{
    double a = 1.0 - x, b = y - x * x;
    double v = a * a + 100.0 * b * b;
    struct pair g = {-2.0 * a - 400.0 * b * x, 200.0 * b};
    if (b > 0.0) {
        double d = 1.0 + y * y;
        g.x += y * cos(x * y) / d;
        g.y += x * cos(x * y) / d - 2.0 * y * sin(x * y) / (d * d);
    } else {
        double e = exp(-0.5 * x), base = 1.5 + y * y;
        double p = pow(base, x);
        g.x = g.x * e - 0.5 * v * e + p * log(base);
        g.y = g.y * e + p * x / base * 2.0 * y;
    }
    return g;
}

/* Half of 1e-12, so that two runs that both pass agree to 1e-12. */
static int differs(const char *what, double found, double expected)
{
    double scale = fabs(expected) > 1.0 ? fabs(expected) : 1.0;
    if (fabs(found - expected) <= 5e-13 * scale)
        return 0;
    printf("%s: found %.17g, expected %.17g\n", what, found, expected);
    return 1;
}

static int print_primal(double (*f)(double, double))
{
    for (int i = 0; i < POINTS; ++i)
        printf("%a\n", f(point_x[i], point_y[i]));
    return 0;
}

/* A macro, because the first argument of a hook has to be the function itself. */
#define check_requests(f) check_requests_of((f), (void *)(f))
#define check_requests_of(f, address)                                                                                  \
    ({                                                                                                                 \
        int failures_ = 0;                                                                                             \
        for (int i_ = 0; i_ < POINTS; ++i_) {                                                                          \
            double x_ = point_x[i_], y_ = point_y[i_];                                                                 \
            struct pair expected_ = analytic_gradient(x_, y_);                                                         \
            struct pair g_ = __backsweep_gradient_pair(address, x_, y_);                                               \
            failures_ += differs("reverse d/dx", g_.x, expected_.x);                                                   \
            failures_ += differs("reverse d/dy", g_.y, expected_.y);                                                   \
            g_ = __backsweep_gradient_pair(address, bs_out, x_, bs_out, y_);                                           \
            failures_ += differs("reverse with bs_out d/dx", g_.x, expected_.x);                                       \
            failures_ += differs("reverse with bs_out d/dy", g_.y, expected_.y);                                       \
            failures_ += differs("reverse with bs_const d/dy", __backsweep_gradient(address, bs_const, x_, bs_out, y_), \
                                 expected_.y);                                                                         \
            g_ = __enzyme_autodiff_pair(address, enzyme_out, x_, enzyme_out, y_);                                      \
            failures_ += differs("Enzyme spelling d/dx", g_.x, expected_.x);                                           \
            failures_ += differs("Enzyme spelling d/dy", g_.y, expected_.y);                                           \
            failures_ += differs("forward d/dx", __backsweep_tangent(address, x_, 1.0, y_, 0.0), expected_.x);         \
            failures_ += differs("forward d/dy", __backsweep_tangent(address, bs_const, x_, bs_dup, y_, 1.0),          \
                                 expected_.y);                                                                         \
            failures_ += differs("forward, Enzyme spelling", __enzyme_fwddiff(address, x_, 1.0, y_, 1.0),              \
                                 expected_.x + expected_.y);                                                           \
        }                                                                                                              \
        failures_ != 0;                                                                                                \
    })
