/* Forward mode over gradients of functions that call themselves: Hessians times vectors, against differences of gradients. */
// DEFINE: %{flags} =
// DEFINE: %{check} = %clang %{flags} %include %pass %s -o %t %runtime && %t && env BACKSWEEP_TAPE_CHECK=1 %t && env BACKSWEEP_TAPE_RESERVE=0 %t
// REDEFINE: %{flags} = -O0
// RUN: %{check}
// REDEFINE: %{flags} = -O1
// RUN: %{check}
// REDEFINE: %{flags} = -O2 -ffast-math
// RUN: %{check}
// REDEFINE: %{flags} = -O3
// RUN: %{check}
// REDEFINE: %{flags} = -O1 -g -fsanitize=address
// RUN: %{check}
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backsweep.h"
#include "backsweep_rt.h"

#define N 4

static double raise_to(double x, int n)
{
    return n == 0 ? 1 : n % 2 ? x * raise_to(x, n - 1) : raise_to(x * x, n / 2);
}
static double powers(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += raise_to(x[i], 3 + i) * x[(i + 1) % n];
    return sum;
}

/* How deep depends on the numbers. */
static double integrand(double t, const double *x) { return exp(-x[0] * t) * sin(x[1] * t) + x[2] / (x[3] + t * t); }
static double refine(const double *x, double a, double b, double fa, double fm, double fb, double whole, double eps, int depth)
{
    double m = (a + b) / 2, fl = integrand((a + m) / 2, x), fr = integrand((m + b) / 2, x);
    double left = (m - a) / 6 * (fa + 4 * fl + fm), right = (b - m) / 6 * (fm + 4 * fr + fb);
    if (depth <= 0 || fabs(left + right - whole) <= 15 * eps)
        return left + right + (left + right - whole) / 15;
    return refine(x, a, m, fa, fl, fm, left, eps / 2, depth - 1) + refine(x, m, b, fm, fr, fb, right, eps / 2, depth - 1);
}
static double integral(const double *x, int n)
{
    double b = 3 * x[0], fa = integrand(0, x), fm = integrand(b / 2, x), fb = integrand(b, x);
    return refine(x, 0, b, fa, fm, fb, b / 6 * (fa + 4 * fm + fb), 1e-5, 8);
}

/* The argument of a call is the result of another. */
static double ackermann(int m, int n, double x)
{
    if (m == 0)
        return sin(x * n) + x;
    if (n == 0)
        return ackermann(m - 1, 1, x * 0.9);
    double y = ackermann(m, n - 1, x);
    return ackermann(m - 1, (int)(fabs(y) * 3) % 4, y * x);
}
static double towers(const double *x, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++)
        sum += ackermann(2, i, x[i] * 0.5) * x[0];
    return sum;
}

/* Two that call each other. */
static double odd(const double *x, int n, double y);
static double even(const double *x, int n, double y) { return n == 0 ? y * y : odd(x, n - 1, sin(y * x[n % N])) * x[0]; }
static double odd(const double *x, int n, double y) { return n == 0 ? y : even(x, n - 1, y + x[n % N] * y) + y; }
static double turns(const double *x, int n) { return even(x, 7, x[1]) + odd(x, n, x[2]); }

/* An array that is worked on in place, by loops that record. */
static void fold(double *a, int n)
{
    if (n < 2) {
        a[0] = sin(a[0]) * a[0];
        return;
    }
    fold(a, n / 2);
    fold(a + n / 2, n - n / 2);
    for (int i = 0; i < n / 2; i++) {
        double t = a[i];
        a[i] = t * a[n - 1 - i];
        a[n - 1 - i] += t;
    }
    for (int k = 0; a[0] > 0.3 && k < 5; k++)
        a[0] *= 0.8 * cos(a[n - 1]);
}
static double folded(const double *x, int n)
{
    double a[N], sum = 0;
    for (int i = 0; i < n; i++)
        a[i] = x[i];
    fold(a, n);
    for (int i = 0; i < n; i++)
        sum += a[i] * (i + 1);
    return sum;
}

/* A tree on the heap, whose addresses are on the tape, with their shadows. */
struct node {
    double value;
    struct node *left, *right;
    int count;
};
static double walk(const struct node *n)
{
    return n ? sin(n->value) * n->count + walk(n->left) * n->value + walk(n->right) * walk(n->left) : 1;
}
static double tree(const double *x, int n)
{
    struct node *all[N];
    for (int i = 0; i < N; i++) {
        all[i] = malloc(sizeof **all);
        all[i]->value = x[i] * x[(i + 1) % n];
        all[i]->count = i;
        all[i]->left = i > 0 ? all[i - 1] : 0;
        all[i]->right = i > 1 ? all[i - 2] : 0;
    }
    double sum = walk(all[N - 1]);
    for (int i = 0; i < N; i++)
        free(all[i]);
    return sum;
}

/* The same, freed by recursion: that is put off until the gradient is over, with all shadows. */
static void drop(struct node *n)
{
    if (n) {
        drop(n->left);
        free(n);
    }
}
static double dropped(const double *x, int n)
{
    struct node *first = 0;
    for (int i = 0; i < n; i++) {
        struct node *next = malloc(sizeof *next);
        next->value = x[i] * x[(i + 1) % n];
        next->count = i;
        next->left = first;
        next->right = 0;
        first = next;
    }
    double sum = walk(first) * first->left->value;
    drop(first);
    return sum;
}

/* Memory that each call makes and frees, loops whose records lie in arrays and loops of unknown length. */
static double work(double *a, const double *x, int n, int depth)
{
    double b[N], s = 0.3;
    for (int i = 0; i < n; i++) {
        b[i] = sin(a[i] * x[i]) + s * 0.2;
        s = s * b[i] + exp(-s * a[i]);
    }
    for (int i = 0; i < 30 && s < 2; i++)
        s = s * (1 + 0.3 * b[i % n]) + 0.05 * s * s;
    if (depth == 0)
        return s;
    double *c = malloc(n * sizeof *c);
    for (int i = 0; i < n; i++)
        c[i] = a[i] * b[(i + depth) % n];
    double left = work(c, x, n, depth - 1);
    for (int i = 0; i < n; i++)
        a[i] = a[i] * left * 0.3 + c[i] * s;
    double right = work(a, x, n, depth - 1);
    free(c);
    return left * right + s * a[depth % n];
}
static double worked(const double *x, int n)
{
    double a[N];
    for (int i = 0; i < n; i++)
        a[i] = 0.5 * x[i] * x[0];
    return work(a, x, n, 2);
}

/* Structures that are handed on and given back in slots, whose shadows lie on the tape. */
struct trio {
    double a, b;
    float c;
};
static struct trio step(struct trio t, const double *x, int n)
{
    if (n == 0)
        return t;
    struct trio next = {t.b * x[0], t.a + x[1], t.c * 0.5f};
    struct trio r = step(next, x, n - 1);
    r.a *= cos(r.b) + t.a;
    return r;
}
static double stepped(const double *x, int n)
{
    struct trio start = {x[2], x[3], 0.5f}, end = step(start, x, n);
    return end.a + end.b * end.b;
}

/* Addresses on the tape behind which there is nothing active: they have no shadows. */
struct shape {
    const struct shape *left, *right;
    int which;
};
static const struct shape leaves[] = {{0, 0, 0}, {0, 0, 1}, {0, 0, 2}, {0, 0, 3}};
static const struct shape inner[] = {{leaves, leaves + 1, 0}, {leaves + 2, leaves + 3, 1}};
static struct shape root = {inner, inner + 1, 2}, *start = &root;
static double evaluate(const struct shape *s, const double *x)
{
    if (!s->left)
        return x[s->which];
    double left = evaluate(s->left, x), right = evaluate(s->right, x);
    return s->which == 0 ? left * right : s->which == 1 ? sin(left * right) : left / right;
}
static double shaped(const double *x, int n) { return evaluate(start, x) * x[n % 3]; }

static int failures;

static void expect(const char *what, int i, double got, double wanted, double tolerance)
{
    if (!(fabs(got - wanted) <= tolerance * (1 + fabs(wanted)))) {
        printf("%s %d: %.12g instead of %.12g\n", what, i, got, wanted);
        failures++;
    }
}

static size_t held(void)
{
    struct bs_tape_stats stats;
    bs_tape_stats(bs_tape_of_thread(), &stats);
    return stats.current;
}

/* The Hessian times a vector, of width 1 and 2. */
#define COMPARE(f)                                                                                                   \
    static void gradient_##f(double *x, double *dx, int n)                                                           \
    {                                                                                                                \
        __backsweep_gradient_void((void *)f, bs_dup, x, dx, bs_const, n);                                            \
    }                                                                                                                \
    static void product_##f(double *x, const double *v, double *dx, double *hv, int n)                               \
    {                                                                                                                \
        __backsweep_tangent_void((void *)gradient_##f, bs_dup, x, v, bs_dup, dx, hv, bs_const, n);                   \
    }                                                                                                                \
    static void check_##f(void)                                                                                      \
    {                                                                                                                \
        double x[N], v[N], w[N], dx[N] = {0}, hv[N] = {0}, up[N] = {0}, down[N] = {0}, h = 1e-6;                     \
        size_t before = held();                                                                                      \
        for (int i = 0; i < N; i++)                                                                                  \
            x[i] = 0.7 + 0.13 * i, v[i] = cos(1.0 + i), w[i] = -2 * v[i];                                            \
        product_##f(x, v, dx, hv, N);                                                                                \
        expect(#f " leaves bytes", 0, (double)held(), (double)before, 0);                                            \
        double one[N] = {0}, two[N] = {0}, again[N] = {0};                                                           \
        __backsweep_tangent_void((void *)gradient_##f, bs_width, 2, bs_dup, x, v, w, bs_dup, again, one, two,        \
                                 bs_const, N);                                                                       \
        for (int i = 0; i < N; i++)                                                                                  \
            x[i] += h * v[i];                                                                                        \
        gradient_##f(x, up, N);                                                                                      \
        for (int i = 0; i < N; i++)                                                                                  \
            x[i] -= 2 * h * v[i];                                                                                    \
        gradient_##f(x, down, N);                                                                                    \
        for (int i = 0; i < N; i++) {                                                                                \
            expect(#f, i, hv[i], (up[i] - down[i]) / (2 * h), 1e-6);                                                 \
            expect(#f " first of two", i, one[i], hv[i], 1e-12);                                                     \
            expect(#f " second of two", i, two[i], -2 * hv[i], 1e-12);                                               \
        }                                                                                                            \
    }

/* The third derivative along one vector, against differences of the second. */
#define COMPARE_THIRD(f)                                                                                             \
    COMPARE(f)                                                                                                       \
    static void check_third_##f(void)                                                                                \
    {                                                                                                                \
        double x[N], v[N], none[N] = {0}, first[N] = {0}, along[N] = {0}, second[N] = {0}, third[N] = {0};           \
        double above[N] = {0}, below[N] = {0}, unused[N] = {0}, h = 1e-4;                                            \
        for (int i = 0; i < N; i++)                                                                                  \
            x[i] = 0.7 + 0.13 * i, v[i] = cos(1.0 + i);                                                              \
        __backsweep_tangent_void((void *)product_##f, bs_dup, x, v, bs_dup, v, none, bs_dup, first, along,           \
                                 bs_dup, second, third, bs_const, N);                                                \
        for (int i = 0; i < N; i++)                                                                                  \
            x[i] += h * v[i];                                                                                        \
        product_##f(x, v, unused, above, N);                                                                         \
        for (int i = 0; i < N; i++)                                                                                  \
            x[i] -= 2 * h * v[i];                                                                                    \
        product_##f(x, v, unused, below, N);                                                                         \
        for (int i = 0; i < N; i++) {                                                                                \
            expect(#f " third", i, third[i], (above[i] - below[i]) / (2 * h), 1e-5);                                 \
            expect(#f " second, beside it", i, along[i], second[i], 1e-12);                                          \
        }                                                                                                            \
    }

COMPARE_THIRD(powers)
COMPARE_THIRD(integral)
COMPARE_THIRD(towers)
COMPARE_THIRD(turns)
COMPARE_THIRD(folded)
COMPARE(tree)
COMPARE(dropped)
COMPARE(worked)
COMPARE(stepped)
COMPARE_THIRD(shaped)

/* One half is given what is active, and the other is not: the point, the seed, or both. */
static double single(double x, int n) { return n == 0 ? x : sin(single(x, n - 1) * x); }
static double slope(double x, int n) { return __backsweep_gradient((void *)single, x, n); }
static double seeded(double x, double seed, int n) { return __backsweep_gradient((void *)single, bs_seed, seed, x, n); }
static double apart(double x, double seed) { return seeded(0.8, seed, 3) * x + seeded(x, 0.5, 2) * slope(0.4, 3); }

int main(void)
{
    check_powers();
    check_third_powers();
    check_integral();
    check_third_integral();
    check_towers();
    check_third_towers();
    check_turns();
    check_third_turns();
    check_folded();
    check_third_folded();
    check_tree();
    check_dropped();
    check_worked();
    check_stepped();
    check_shaped();
    check_third_shaped();
    double x = 0.9, y = 1.3, h = 1e-5;
    expect("slope", 0, __backsweep_tangent((void *)slope, x, 1.0, 4), (slope(x + h, 4) - slope(x - h, 4)) / (2 * h), 1e-6);
    expect("seed", 0, __backsweep_tangent((void *)seeded, bs_const, x, y, 1.0, 4), slope(x, 4), 1e-12);
    expect("apart", 0, __backsweep_tangent((void *)apart, x, 1.0, y, 0.0), (apart(x + h, y) - apart(x - h, y)) / (2 * h), 1e-6);
    expect("apart", 1, __backsweep_tangent((void *)apart, bs_const, x, y, 1.0), (apart(x, y + h) - apart(x, y - h)) / (2 * h), 1e-6);
    return failures != 0;
}
