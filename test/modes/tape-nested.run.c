/* Forward mode over gradients that keep records on the tape: Hessians times vectors, against differences of gradients. */
// DEFINE: %{flags} =
// DEFINE: %{check} = %clang %{flags} %include %pass %s -o %t %runtime && %t && env BACKSWEEP_TAPE_CHECK=1 %t && env BACKSWEEP_TAPE_RESERVE=0 %t
// REDEFINE: %{flags} = -O0
// RUN: %{check}
// REDEFINE: %{flags} = -O3
// RUN: %{check}
// REDEFINE: %{flags} = -O1 -g -fsanitize=address
// RUN: %{check}
#include <math.h>
#include <stdio.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define N 6

/* A record each turn, and nobody knows how many. */
static double settle(const double *x, int n)
{
    double y = 0.5, sum = 0;
    for (int i = 0; i < n * 5 && y > 0.01; i++) {
        y = sin(y * x[i % n]) + 0.3 * y * y;
        sum += y * x[(i + 1) % n];
    }
    return sum;
}

/* As many turns as an argument says: the records lie in an array. */
static double power(const double *x, int n)
{
    double y = 1;
    for (int i = 0; i < n; i++)
        y = exp(-y * x[i]) * y + x[i] * x[i];
    return y;
}

/* Loops in loops, and branches whose way is recorded. */
static double nest(const double *x, int n)
{
    double s = x[0];
    for (int i = 0; i < n; i++) {
        double t = 1;
        for (int k = 0; k <= i; k++) {
            if (s * x[k] > 0.6)
                t = t * s + x[k];
            else if (t > 1.1)
                t = cos(t * x[k]);
            t += 0.1 * t * t;
        }
        int turns = (int)(3 * t) % 4;
        while (turns-- > 0)
            s = s * 0.9 + 0.05 * sin(s * t);
    }
    return s;
}

/* What is overwritten in memory that is handed in. */
static double overwrite(double *x, int n)
{
    double sum = 0;
    for (int step = 0; step < 4; step++)
        for (int i = 1; i < n; i++) {
            x[i] = x[i] * x[i - 1] + 0.2 * sin(x[i]);
            sum += x[i] * x[i];
        }
    return sum;
}

/* Memory of the function's own. */
static double own(const double *x, int n)
{
    double a[N], b[N];
    for (int i = 0; i < n; i++)
        a[i] = x[i] * x[i];
    for (int step = 0; step < 3; step++) {
        for (int i = 0; i < n; i++)
            b[i] = sin(a[i]) * a[(i + 1) % n];
        for (int i = 0; i < n; i++)
            a[i] = b[i] + 0.1 * a[i] * a[i];
    }
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += a[i];
    return sum;
}

/* Of single precision beside double, with a counter that goes its own way. */
static double mixed(const double *x, int n)
{
    float f = 0.75f;
    double s = 0;
    int at = 1;
    while (at < 40) {
        f = f * (float)x[at % n] + 0.2f;
        s += f * x[(at / 2) % n] * s + f;
        at = at % 3 == 0 ? at * 2 + 1 : at + 4;
    }
    return s;
}

static int failures;

static void expect(const char *what, int i, double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance * (1 + fabs(wanted)))) {
        printf("%s %d: %.12g instead of %.12g\n", what, i, got, wanted);
        failures++;
    }
}

static void start(double *x)
{
    for (int i = 0; i < N; i++)
        x[i] = 0.8 + 0.3 * sin(1 + 2.3 * i);
}

static size_t held(void)
{
    struct bs_tape_stats stats;
    bs_tape_stats(bs_tape_of_thread(), &stats);
    return stats.current;
}

/* The Hessian times a vector, of width 1 and 2; and the third derivative along two vectors, against differences of the second. */
#define COMPARE(f, exactness)                                                                                  \
    static void gradient_##f(double *x, double *dx, int n)                                                     \
    {                                                                                                          \
        __backsweep_gradient_void((void *)f, bs_dup, x, dx, bs_const, n);                                      \
    }                                                                                                          \
    static void product_##f(double *x, const double *v, double *hv)                                            \
    {                                                                                                          \
        double dx[N] = {0}, at[N], along[N];                                                                   \
        for (int i = 0; i < N; i++)                                                                            \
            at[i] = x[i], along[i] = v[i], hv[i] = 0;                                                          \
        __backsweep_tangent_void((void *)gradient_##f, bs_dup, at, along, bs_dup, dx, hv, bs_const, N);        \
    }                                                                                                          \
    static void check_##f(void)                                                                                \
    {                                                                                                          \
        double x[N], v[N], hv[N], up[N] = {0}, down[N] = {0}, h = 1e-5;                                        \
        size_t before = held();                                                                                \
        for (int i = 0; i < N; i++)                                                                            \
            v[i] = cos(0.7 * i);                                                                               \
        start(x);                                                                                              \
        product_##f(x, v, hv);                                                                                 \
        expect(#f " leaves bytes", 0, (double)held(), (double)before, 0);                                      \
        for (int side = -1; side <= 1; side += 2) {                                                            \
            start(x);                                                                                          \
            for (int i = 0; i < N; i++)                                                                        \
                x[i] += side * h * v[i];                                                                       \
            gradient_##f(x, side > 0 ? up : down, N);                                                          \
        }                                                                                                      \
        for (int i = 0; i < N; i++)                                                                            \
            expect(#f, i, hv[i], (up[i] - down[i]) / (2 * h), exactness);                                      \
        double dx[N] = {0}, w[N], one[N] = {0}, two[N] = {0};                                                  \
        start(x);                                                                                              \
        for (int i = 0; i < N; i++)                                                                            \
            w[i] = -2 * v[i];                                                                                  \
        __backsweep_tangent_void((void *)gradient_##f, bs_width, 2, bs_dup, x, v, w, bs_dup, dx, one, two,     \
                                 bs_const, N);                                                                 \
        for (int i = 0; i < N; i++) {                                                                          \
            expect(#f " first of two", i, one[i], hv[i], 1e-12);                                               \
            expect(#f " second of two", i, two[i], -2 * hv[i], 1e-12);                                         \
        }                                                                                                      \
    }

COMPARE(settle, 1e-6)
COMPARE(power, 1e-6)
COMPARE(nest, 1e-6)
COMPARE(overwrite, 1e-6)
COMPARE(own, 1e-6)
COMPARE(mixed, 2e-2)

/* A third derivative: forward mode over forward mode over a gradient with records. */
static double steps(double x)
{
    double y = x;
    for (int i = 0; i < 5 && y < 50; i++)
        y = sin(y) * x + 0.5 * y * y;
    return y;
}
static double first(double x) { return __backsweep_gradient((void *)steps, x); }
static double second(double x) { return __backsweep_tangent((void *)first, x, 1.0); }
static double third(double x) { return __backsweep_tangent((void *)second, x, 1.0); }

/* Two gradients in one function, one of them of no interest. */
static double both(double x, double y) { return first(x) * y + first(y) * x * x + first(0.3) * x; }

int main(void)
{
    check_settle();
    check_power();
    check_nest();
    check_overwrite();
    check_own();
    check_mixed();
    double x = 0.9, y = 1.2, h = 1e-5;
    expect("second", 0, second(x), (first(x + h) - first(x - h)) / (2 * h), 1e-6);
    expect("third", 0, third(x), (second(x + h) - second(x - h)) / (2 * h), 1e-6);
    expect("both", 0, __backsweep_tangent((void *)both, x, 1.0, y, 0.0), (both(x + h, y) - both(x - h, y)) / (2 * h), 1e-6);
    expect("both", 1, __backsweep_tangent((void *)both, x, 0.0, y, 1.0), (both(x, y + h) - both(x, y - h)) / (2 * h), 1e-6);
    return failures != 0;
}
