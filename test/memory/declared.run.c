/* Shadows of globals that the user declares, globals declared inactive, and hooks inside hooks. */
// DEFINE: %{flags} =
// DEFINE: %{check} = %clang %{flags} %include %pass %s -o %t %runtime && %t
// REDEFINE: %{flags} = -O0
// RUN: %{check}
// REDEFINE: %{flags} = -O2 -g
// RUN: %{check}
// RUN: %not %t inside 2>&1 | %filecheck %s --check-prefix=INSIDE
// RUN: %not %t active 2>&1 | %filecheck %s --check-prefix=ACTIVE
// RUN: %not %t stale 2>&1 | %filecheck %s --check-prefix=STALE
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "backsweep.h"

static int failures;
static void expect(int line, double found, double expected)
{
    if (fabs(found - expected) <= 1e-12 * fmax(1.0, fabs(expected)))
        return;
    printf("line %d: found %.17g, expected %.17g\n", line, found, expected);
    failures++;
}
#define EXPECT(found, expected) expect(__LINE__, (found), (expected))

/* The derivative with respect to what the global holds on entry is added to its shadow, as for an argument. */
double weight = 3, weight_shadow[2];
void *__backsweep_shadow_weight[] = {&weight, weight_shadow};

static double weighted(double x)
{
    double old = weight;
    weight = old * x;
    return sin(weight) * old;
}

static void declared(void)
{
    double x = 0.7, w = 3, s = sin(w * x), c = cos(w * x);
    /* It held the seed of what is left in the global, 10, and now holds the derivative with respect to `old`. */
    weight = w, weight_shadow[0] = 10;
    EXPECT(__backsweep_gradient((void *)weighted, x), w * w * c + 10 * w);
    EXPECT(weight_shadow[0], s + w * x * c + 10 * x);
    weight = w, weight_shadow[0] = 2;
    EXPECT(__backsweep_tangent((void *)weighted, x, 1.0), w * w * c + 2 * (s + w * x * c));
    EXPECT(weight_shadow[0], w + 2 * x);
}

/* It is active although nothing is stored into it, also where only a called function reads it. */
static double read_only(double x) { return x * x * weight; }
static double read_deep(double x, int n) { return n ? x * read_deep(x, n - 1) : weight; }

static void reads(void)
{
    weight = 3, weight_shadow[0] = 0;
    EXPECT(__backsweep_gradient((void *)read_only, 2.0), 12);
    EXPECT(weight_shadow[0], 4);
    EXPECT(__backsweep_gradient((void *)read_deep, 2.0, 3), 3 * 4 * 3);
    EXPECT(weight_shadow[0], 4 + 8);
    weight_shadow[0] = 1;
    EXPECT(__backsweep_tangent((void *)read_deep, 2.0, 0.0, 3), 8);
}

/* Two directions lie one behind the other. */
struct two { double v[2]; };
struct two __backsweep_tangent_two(void *, ...);

static void wide(void)
{
    double x = 0.7, w = 3, s = sin(w * x), c = cos(w * x);
    weight = w, weight_shadow[0] = 0, weight_shadow[1] = 1;
    struct two t = __backsweep_tangent_two((void *)weighted, bs_width, 2, x, 1.0, 0.0);
    EXPECT(t.v[0], w * w * c), EXPECT(t.v[1], s + w * x * c);
    EXPECT(weight_shadow[0], w), EXPECT(weight_shadow[1], x);
}

/* What is put there is let go. */
static double last_seen, last_named __attribute__((annotate("backsweep_inactive")));
void *__backsweep_inactive_last[] = {&last_seen};

static double watched(double x)
{
    last_seen = x * x, last_named = x;
    return x * last_seen * last_named;
}

/* Derivatives of derivatives pass through the shadows of globals. */
static double cell[2];

static double chained(double x)
{
    cell[0] = x;
    cell[1] = cell[0] * x, cell[0] = cell[1];
    cell[1] = cell[0] * x, cell[0] = cell[1];
    return cell[1] * x;
}

static double slope(double x) { return __backsweep_gradient((void *)chained, x); }
static double direction(double x) { return __backsweep_tangent((void *)chained, x, 1.0); }

static void nested(void)
{
    double x = 1.3;
    EXPECT(slope(x), 4 * x * x * x);
    EXPECT(direction(x), 4 * x * x * x);
    EXPECT(__backsweep_tangent((void *)slope, x, 1.0), 12 * x * x);
    EXPECT(__backsweep_gradient((void *)slope, x), 12 * x * x);
    EXPECT(__backsweep_gradient((void *)direction, x), 12 * x * x);
    EXPECT(__backsweep_tangent((void *)direction, x, 1.0), 12 * x * x);
}

/* The same memory by name and by a pointer whose shadow is another: the derivative ends, rather than be wrong. */
double both = 2;
static double by_two_names(double *x)
{
    both = both * both;
    return *x * both;
}

static double into(double *x)
{
    both = *x;
    return *x * both;
}

static void inside(int constant)
{
    double other = 2, d = 0;
    both = 2;
    __backsweep_gradient((void *)by_two_names, bs_dup, &other, &d);
    EXPECT(d, 4);
    EXPECT(__backsweep_tangent((void *)into, bs_dup, &other, &d), 16);
    if (constant)
        // INSIDE: backsweep tape: in the derivative of 'by_two_names' the pointer 0x{{[0-9a-f]+}} leads into the global 'both'
        __backsweep_gradient((void *)by_two_names, bs_dup, &both, &d);
    // ACTIVE: backsweep tape: in the derivative of 'into' the pointer 0x{{[0-9a-f]+}} leads into the global 'both'
    __backsweep_gradient((void *)into, bs_dup, &both, &d);
}

/* Memory that somebody else put into a global has no shadow. */
static double *work, spare;
static double cached(double x)
{
    if (!work) work = &spare;
    *work = x * x;
    return *work * x;
}

static void stale(void)
{
    EXPECT(__backsweep_gradient((void *)cached, 2.0), 12);
    EXPECT(__backsweep_gradient((void *)cached, 3.0), 27);
    work = malloc(sizeof *work);
    // STALE: backsweep tape: in the derivative of 'cached' the pointer 0x{{[0-9a-f]+}}, found in a global{{.*}} [BS212]
    __backsweep_gradient((void *)cached, 2.0);
}

int main(int count, char **words)
{
    if (count > 1) {
        if (words[1][0] != 's')
            inside(words[1][0] == 'i');
        else
            stale();
        return failures != 0 ? 0 : 2;
    }
    declared();
    wide();
    reads();
    nested();
    EXPECT(__backsweep_gradient((void *)watched, 2.0), 8);
    return failures != 0;
}
