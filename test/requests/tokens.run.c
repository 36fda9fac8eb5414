/* Every hook and every token that means something for scalars, in both spellings, against the analytic derivative of
 * f(x, n, y) = x^2 y + n x. */
// DEFINE: %{level} =
// DEFINE: %{check} = %clang %{level} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{level} = -O0
// RUN: %{check}
// REDEFINE: %{level} = -O2 -g
// RUN: %{check}

#include "backsweep.h"
#include <math.h>
#include <stdio.h>

static double f(double x, int n, double y) { return x * x * y + n * x; }
static float f_float(float x, float y) { return x * x * y; }

struct two {
    double x, y;
};
struct three {
    double value, x, y;
};
struct four {
    double x0, x1, y0, y1;
};
struct value_and_tangent {
    double value, tangent;
};
struct kept {
    void *tape;
    double value;
};
struct two_floats {
    float x, y;
};

struct two __backsweep_gradient_two(void *, ...);
struct three __backsweep_gradient_three(void *, ...);
struct four __backsweep_gradient_four(void *, ...);
struct two_floats __backsweep_gradient_floats(void *, ...);
struct two __backsweep_tangent_two(void *, ...);
struct value_and_tangent __backsweep_tangent_both(void *, ...);
struct kept __backsweep_augmented_kept(void *, ...);
struct two __backsweep_reverse_two(void *, ...);

struct two __enzyme_autodiff_two(void *, ...);
struct three __enzyme_autodiff_three(void *, ...);
struct four __enzyme_autodiff_four(void *, ...);
double __enzyme_fwddiff(void *, ...);
struct value_and_tangent __enzyme_fwddiff_both(void *, ...);
struct two __enzyme_fwddiff_two(void *, ...);
struct kept __enzyme_augmentfwd_kept(void *, ...);
struct two __enzyme_reverse_two(void *, ...);
extern int enzyme_dup, enzyme_dupnoneed, enzyme_out, enzyme_const, enzyme_primal_return, enzyme_width;

static volatile double point_x = 3.0, point_y = 5.0;
static volatile int point_n = 2;
static int failures;

static void expect(int line, double found, double expected)
{
    if (fabs(found - expected) <= 1e-12 * fmax(1.0, fabs(expected)))
        return;
    printf("line %d: found %.17g, expected %.17g\n", line, found, expected);
    failures++;
}
#define EXPECT(found, expected) expect(__LINE__, (found), (expected))

static void check_reverse(double x, int n, double y)
{
    double fx = 2.0 * x * y + n, fy = x * x;
    struct two g = __backsweep_gradient_two((void *)f, x, n, y);
    EXPECT(g.x, fx);
    EXPECT(g.y, fy);
    g = __backsweep_gradient_two((void *)f, bs_out, x, bs_const, n, bs_out, y);
    EXPECT(g.x, fx);
    EXPECT(g.y, fy);
    EXPECT(__backsweep_gradient((void *)f, x, n, bs_const, y), fx);
    EXPECT(__backsweep_gradient((void *)f, bs_const, x, n, y), fy);
    g = __backsweep_gradient_two((void *)f, bs_seed, -2.0, x, n, y);
    EXPECT(g.x, -2.0 * fx);
    EXPECT(g.y, -2.0 * fy);
    struct three all = __backsweep_gradient_three((void *)f, bs_primal_return, x, n, y);
    EXPECT(all.value, f(x, n, y));
    EXPECT(all.x, fx);
    EXPECT(all.y, fy);
    struct four wide = __backsweep_gradient_four((void *)f, bs_width, 2, bs_seed, 1.0, 10.0, x, n, y);
    EXPECT(wide.x0, fx);
    EXPECT(wide.x1, 10.0 * fx);
    EXPECT(wide.y0, fy);
    EXPECT(wide.y1, 10.0 * fy);
}

static void check_forward(double x, int n, double y)
{
    double fx = 2.0 * x * y + n, fy = x * x;
    EXPECT(__backsweep_tangent((void *)f, x, 1.0, n, y, 0.0), fx);
    EXPECT(__backsweep_tangent((void *)f, bs_dup, x, 2.0, bs_const, n, bs_dup, y, 3.0), 2.0 * fx + 3.0 * fy);
    EXPECT(__backsweep_tangent((void *)f, bs_dup_noneed, x, 1.0, n, bs_const, y), fx);
    struct value_and_tangent both = __backsweep_tangent_both((void *)f, bs_primal_return, x, 0.0, n, y, 1.0);
    EXPECT(both.value, f(x, n, y));
    EXPECT(both.tangent, fy);
    struct two wide = __backsweep_tangent_two((void *)f, bs_width, 2, x, 1.0, 0.0, n, y, 0.0, 1.0);
    EXPECT(wide.x, fx);
    EXPECT(wide.y, fy);
}

static void check_split(double x, int n, double y)
{
    double fx = 2.0 * x * y + n, fy = x * x;
    void *tape = __backsweep_augmented((void *)f, x, n, bs_const, y);
    EXPECT(__backsweep_reverse((void *)f, x, n, bs_const, y, 1.5, tape), 1.5 * fx);
    struct kept kept = __backsweep_augmented_kept((void *)f, bs_out, x, bs_const, n, bs_out, y);
    EXPECT(kept.value, f(x, n, y));
    struct two g = __backsweep_reverse_two((void *)f, bs_out, x, bs_const, n, bs_out, y, 1.0, kept.tape);
    EXPECT(g.x, fx);
    EXPECT(g.y, fy);
}

/* A float travels as a double through `...`, and comes back as a float. */
static void check_floats(float x, float y)
{
    struct two_floats g = __backsweep_gradient_floats((void *)f_float, x, y);
    EXPECT(g.x, 2.0f * x * y);
    EXPECT(g.y, x * x);
    EXPECT(__backsweep_gradient_float((void *)f_float, x, bs_const, y), 2.0f * x * y);
    EXPECT(__backsweep_tangent_float((void *)f_float, x, 0.0f, y, 1.0f), x * x);
}

static void check_other_spelling(double x, int n, double y)
{
    double fx = 2.0 * x * y + n, fy = x * x;
    struct two g = __enzyme_autodiff_two((void *)f, enzyme_out, x, enzyme_const, n, enzyme_out, y);
    EXPECT(g.x, fx);
    EXPECT(g.y, fy);
    struct three all = __enzyme_autodiff_three((void *)f, enzyme_primal_return, x, n, y);
    EXPECT(all.value, f(x, n, y));
    EXPECT(all.y, fy);
    struct four lanes = __enzyme_autodiff_four((void *)f, enzyme_width, 2, x, n, y);
    EXPECT(lanes.x0, fx);
    EXPECT(lanes.y1, fy);
    EXPECT(__enzyme_fwddiff((void *)f, enzyme_dup, x, 1.0, n, enzyme_dupnoneed, y, 1.0), fx + fy);
    struct value_and_tangent both = __enzyme_fwddiff_both((void *)f, enzyme_primal_return, x, 1.0, n, y, 0.0);
    EXPECT(both.value, f(x, n, y));
    EXPECT(both.tangent, fx);
    struct two wide = __enzyme_fwddiff_two((void *)f, enzyme_width, 2, x, 1.0, 0.0, n, y, 0.0, 1.0);
    EXPECT(wide.x, fx);
    EXPECT(wide.y, fy);
    struct kept kept = __enzyme_augmentfwd_kept((void *)f, x, n, y);
    EXPECT(kept.value, f(x, n, y));
    g = __enzyme_reverse_two((void *)f, x, n, y, 1.0, kept.tape);
    EXPECT(g.x, fx);
    EXPECT(g.y, fy);
}

int main(void)
{
    check_reverse(point_x, point_n, point_y);
    check_forward(point_x, point_n, point_y);
    check_split(point_x, point_n, point_y);
    check_floats((float)point_x, (float)point_y);
    check_other_spelling(point_x, point_n, point_y);
    return failures != 0;
}
